namespace Postrider.Credentials;

/// <summary>A part of each day in which a user may be connected.</summary>
/// <param name="Start">When it begins.</param>
/// <param name="End">When it ends; before <paramref name="Start"/> it is on the next day.</param>
public sealed record DailyTime(TimeOnly Start, TimeOnly End);
