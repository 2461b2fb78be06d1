namespace Postrider.Flow.Outcomes;

/// <summary>An operation that collects its errors has ended: the failures and the good results.</summary>
/// <typeparam name="TResult">The body's result.</typeparam>
public sealed class FlowFailuresException<TResult> : FlowFailuresException
{
    /// <summary>Makes the exception without failures.</summary>
    public FlowFailuresException() => Results = [];

    /// <summary>Makes the exception with a message.</summary>
    /// <param name="message">What failed.</param>
    public FlowFailuresException(string message)
        : base(message) => Results = [];

    /// <summary>Makes the exception with a message and a cause.</summary>
    /// <param name="message">What failed.</param>
    /// <param name="innerException">The cause.</param>
    public FlowFailuresException(string message, Exception innerException)
        : base(message, innerException) => Results = [];

    /// <summary>Makes the exception for failures and results.</summary>
    /// <param name="failures">In the order of the source.</param>
    /// <param name="results">The good results with their place in the source, in its order.</param>
    public FlowFailuresException(IReadOnlyList<FlowFailure> failures, IReadOnlyList<KeyValuePair<long, TResult>> results)
        : this(failures, results, sourceFailure: null)
    {
    }

    /// <summary>Makes the exception for failures, results and a source that broke.</summary>
    /// <param name="failures">In the order of the source.</param>
    /// <param name="results">The good results with their place in the source, in its order.</param>
    /// <param name="sourceFailure">What the source threw, or null when it came to its end.</param>
    public FlowFailuresException(IReadOnlyList<FlowFailure> failures, IReadOnlyList<KeyValuePair<long, TResult>> results, Exception? sourceFailure)
        : base(failures, sourceFailure) => Results = results;

    /// <summary>The good results with their place in the source, in its order.</summary>
    public IReadOnlyList<KeyValuePair<long, TResult>> Results { get; }
}
