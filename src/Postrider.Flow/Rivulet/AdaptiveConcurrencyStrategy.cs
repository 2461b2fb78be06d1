namespace Postrider.Flow.Rivulet;

/// <summary>Rivulet's adaptive strategies: all of them are answered by <see cref="Gates.AdaptiveAlgorithm.Aimd"/>.</summary>
public enum AdaptiveConcurrencyStrategy
{
    /// <summary>Adds one, cuts by a share.</summary>
    AIMD,

    /// <summary>Taken as <see cref="AIMD"/>.</summary>
    Aggressive,

    /// <summary>Taken as <see cref="AIMD"/>.</summary>
    Gradual,
}
