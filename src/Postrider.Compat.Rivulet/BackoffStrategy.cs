namespace Postrider.Compat.Rivulet;

/// <summary>Rivulet's names for <see cref="Resilience.Backoff"/>.</summary>
public enum BackoffStrategy
{
    /// <summary><see cref="Resilience.Backoff.Exponential"/>.</summary>
    Exponential,

    /// <summary><see cref="Resilience.Backoff.ExponentialJitter"/>.</summary>
    ExponentialJitter,

    /// <summary><see cref="Resilience.Backoff.DecorrelatedJitter"/>.</summary>
    DecorrelatedJitter,

    /// <summary><see cref="Resilience.Backoff.Linear"/>.</summary>
    Linear,

    /// <summary><see cref="Resilience.Backoff.LinearJitter"/>.</summary>
    LinearJitter,
}
