namespace Postrider.Flow.Rivulet;

/// <summary>Rivulet's names for <see cref="Gates.Backoff"/>.</summary>
public enum BackoffStrategy
{
    /// <summary><see cref="Gates.Backoff.Exponential"/>.</summary>
    Exponential,

    /// <summary><see cref="Gates.Backoff.ExponentialJitter"/>.</summary>
    ExponentialJitter,

    /// <summary><see cref="Gates.Backoff.DecorrelatedJitter"/>.</summary>
    DecorrelatedJitter,

    /// <summary><see cref="Gates.Backoff.Linear"/>.</summary>
    Linear,

    /// <summary><see cref="Gates.Backoff.LinearJitter"/>.</summary>
    LinearJitter,
}
