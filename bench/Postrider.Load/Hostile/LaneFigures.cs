namespace Postrider.Load.Hostile;

/// <summary>The latencies of one kind of the victim's load.</summary>
internal sealed record LaneFigures(string Name, string Title, LatencyFigures Figures);
