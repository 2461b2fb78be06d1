namespace Postrider.Flow.Outcomes;

/// <summary>An operation that collects its errors has ended, and some items failed.</summary>
/// <remarks>The good results are not lost: an operator with results throws <see cref="FlowFailuresException{TResult}"/>.</remarks>
public class FlowFailuresException : AggregateException
{
    /// <summary>Makes the exception without failures.</summary>
    public FlowFailuresException()
        : this([])
    {
    }

    /// <summary>Makes the exception with a message.</summary>
    /// <param name="message">What failed.</param>
    public FlowFailuresException(string message)
        : base(message) => Failures = [];

    /// <summary>Makes the exception with a message and a cause.</summary>
    /// <param name="message">What failed.</param>
    /// <param name="innerException">The cause.</param>
    public FlowFailuresException(string message, Exception innerException)
        : base(message, innerException) => Failures = [];

    /// <summary>Makes the exception for failures.</summary>
    /// <param name="failures">In the order of the source.</param>
    public FlowFailuresException(IReadOnlyList<FlowFailure> failures)
        : base(Describe(failures), Exceptions(failures)) => Failures = failures;

    /// <summary>The failed items, in the order of the source.</summary>
    public IReadOnlyList<FlowFailure> Failures { get; }

    private static string Describe(IReadOnlyList<FlowFailure> failures)
    {
        ArgumentNullException.ThrowIfNull(failures);
        return failures.Count == 1 ? $"Item {failures[0].Index} failed." : $"{failures.Count} items failed, the first is {(failures.Count == 0 ? "unknown" : failures[0].Index)}.";
    }

    private static Exception[] Exceptions(IReadOnlyList<FlowFailure> failures)
    {
        var exceptions = new Exception[failures.Count];
        for (var i = 0; i < exceptions.Length; i++)
            exceptions[i] = failures[i].Exception;
        return exceptions;
    }
}
