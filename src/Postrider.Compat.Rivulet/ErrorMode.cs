namespace Postrider.Compat.Rivulet;

/// <summary>Rivulet's error modes.</summary>
public enum ErrorMode
{
    /// <summary><see cref="Flow.ErrorMode.Stop"/>.</summary>
    FailFast,

    /// <summary><see cref="Flow.ErrorMode.Collect"/>: the exception is an <see cref="AggregateException"/> that also contains the
    /// successful results.</summary>
    CollectAndContinue,

    /// <summary><see cref="Flow.ErrorMode.Skip"/>.</summary>
    BestEffort,
}
