namespace Postrider.Resilience;

/// <summary>How the delay between attempts grows.</summary>
public enum Backoff
{
    /// <summary>The base delay each time.</summary>
    Constant,

    /// <summary>Base, twice the base, three times the base …</summary>
    Linear,

    /// <summary>Base, 2, 4, 8 … times the base.</summary>
    Exponential,

    /// <summary>A uniform draw between zero and the linear delay.</summary>
    LinearJitter,

    /// <summary>A uniform draw between zero and the exponential delay ("full jitter").</summary>
    ExponentialJitter,

    /// <summary>A uniform draw between the base and three times the previous delay.</summary>
    DecorrelatedJitter,
}
