namespace Postrider.Compat.Rivulet;

/// <summary>Rivulet's adaptive strategies: whichever is named, the limit is searched by <see cref="Resilience.AdaptiveAlgorithm.Aimd"/> with a
/// target latency and by <see cref="Resilience.AdaptiveAlgorithm.Vegas"/> without.</summary>
public enum AdaptiveConcurrencyStrategy
{
    /// <summary>Adds one, cuts by a share.</summary>
    AIMD,

    /// <summary>Taken as <see cref="AIMD"/>.</summary>
    Aggressive,

    /// <summary>Taken as <see cref="AIMD"/>.</summary>
    Gradual,
}
