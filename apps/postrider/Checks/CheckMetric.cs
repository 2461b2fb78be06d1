namespace Postrider.CommandLine.Checks;

/// <summary>A number that a check measured.</summary>
/// <param name="Name">Its name, in lower case with underscores.</param>
/// <param name="Value">The number.</param>
/// <param name="Unit">Its unit, such as <c>s</c> or <c>B</c>; empty for none.</param>
/// <param name="Warn">The threshold of a warning; 0 for none.</param>
/// <param name="Critical">The threshold of a critical state; 0 for none.</param>
/// <param name="Help">The description.</param>
internal sealed record CheckMetric(string Name, double Value, string Unit, double Warn, double Critical, string Help);
