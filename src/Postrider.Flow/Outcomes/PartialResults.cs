namespace Postrider.Flow.Outcomes;

/// <summary>The result of a cancelled operation, or one stopped by a failure hook, if the error mode is not <see cref="ErrorMode.Stop"/>.</summary>
public enum PartialResults
{
    /// <summary>It throws the item's exception or the cancellation.</summary>
    Throw,

    /// <summary>It returns the results so far, or throws the failures that <see cref="ErrorMode.Collect"/> collected.</summary>
    Keep,

    /// <summary>It throws a cancellation, or the failures that <see cref="ErrorMode.Collect"/> collected.</summary>
    Cancel,
}
