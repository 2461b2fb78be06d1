namespace Postrider.Load.Reports;

/// <summary>How a target is read.</summary>
internal enum Rule
{
    /// <summary>The ratio is at least the target.</summary>
    RatioAtLeast,

    /// <summary>The ratio is at most the target.</summary>
    RatioAtMost,

    /// <summary>The value itself is at most the target.</summary>
    ValueAtMost,
}
