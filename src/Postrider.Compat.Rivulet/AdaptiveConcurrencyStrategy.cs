namespace Postrider.Compat.Rivulet;

/// <summary>Rivulet's adaptive strategies: whichever is chosen, the limit is found by <see cref="Resilience.AdaptiveAlgorithm.Aimd"/> with a
/// target latency and by <see cref="Resilience.AdaptiveAlgorithm.Vegas"/> without one.</summary>
public enum AdaptiveConcurrencyStrategy
{
    /// <summary>Adds one, cuts by a factor.</summary>
    AIMD,

    /// <summary>Treated as <see cref="AIMD"/>.</summary>
    Aggressive,

    /// <summary>Treated as <see cref="AIMD"/>.</summary>
    Gradual,
}
