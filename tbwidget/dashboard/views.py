"""Types of dashboards and views with their options: see views.pyi. At runtime `tbwidget.dashboard` makes them."""
