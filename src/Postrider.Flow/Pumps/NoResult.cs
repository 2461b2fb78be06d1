namespace Postrider.Flow.Pumps;

/// <summary>The result of a body without one.</summary>
internal readonly struct NoResult;
