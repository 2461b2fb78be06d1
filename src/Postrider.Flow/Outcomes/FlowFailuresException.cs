namespace Postrider.Flow.Outcomes;

/// <summary>An operation that collects its errors has ended, and some items failed.</summary>
/// <remarks>The successful results are not lost: an operator with results throws <see cref="FlowFailuresException{TResult}"/>.</remarks>
public class FlowFailuresException : AggregateException
{
    /// <summary>Creates the exception without failures.</summary>
    public FlowFailuresException()
        : this([])
    {
    }

    /// <summary>Creates the exception with a message.</summary>
    /// <param name="message">The failed items.</param>
    public FlowFailuresException(string message)
        : base(message) => Failures = [];

    /// <summary>Creates the exception with a message and a cause.</summary>
    /// <param name="message">The failed items.</param>
    /// <param name="innerException">The cause.</param>
    public FlowFailuresException(string message, Exception innerException)
        : base(message, innerException) => Failures = [];

    /// <summary>Creates the exception for failures.</summary>
    /// <param name="failures">In the order of the source.</param>
    public FlowFailuresException(IReadOnlyList<FlowFailure> failures)
        : this(failures, sourceFailure: null)
    {
    }

    /// <summary>Creates the exception for failures and a source that threw.</summary>
    /// <param name="failures">In the order of the source.</param>
    /// <param name="sourceFailure">The source's exception, or null when it completed.</param>
    public FlowFailuresException(IReadOnlyList<FlowFailure> failures, Exception? sourceFailure)
        : base(Describe(failures, sourceFailure), Exceptions(failures, sourceFailure)) => (Failures, SourceFailure) = (failures, sourceFailure);

    /// <summary>The failed items, in the order of the source.</summary>
    public IReadOnlyList<FlowFailure> Failures { get; }

    /// <summary>The source's exception; null when it completed. All items that it returned before have been run.</summary>
    public Exception? SourceFailure { get; }

    private static string Describe(IReadOnlyList<FlowFailure> failures, Exception? sourceFailure)
    {
        ArgumentNullException.ThrowIfNull(failures);
        if (sourceFailure is null)
            return Describe(failures);
        return failures.Count == 0 ? "The source failed." : $"The source failed. {Describe(failures)}";
    }

    private static string Describe(IReadOnlyList<FlowFailure> failures)
        => failures.Count == 1 ? $"Item {failures[0].Index} failed." : $"{failures.Count} items failed, the first is {(failures.Count == 0 ? "unknown" : failures[0].Index)}.";

    private static IEnumerable<Exception> Exceptions(IReadOnlyList<FlowFailure> failures, Exception? sourceFailure)
    {
        var exceptions = failures.Select(static failure => failure.Exception);
        return sourceFailure is null ? exceptions : exceptions.Append(sourceFailure);
    }
}
