namespace Postrider.Flow.Outcomes;

/// <summary>An operation that collects its errors has ended: the failures and the successful results.</summary>
/// <typeparam name="TResult">The body's result.</typeparam>
public sealed class FlowFailuresException<TResult> : FlowFailuresException
{
    /// <summary>Creates the exception without failures.</summary>
    public FlowFailuresException() => Results = [];

    /// <summary>Creates the exception with a message.</summary>
    /// <param name="message">The failed items.</param>
    public FlowFailuresException(string message)
        : base(message) => Results = [];

    /// <summary>Creates the exception with a message and a cause.</summary>
    /// <param name="message">The failed items.</param>
    /// <param name="innerException">The cause.</param>
    public FlowFailuresException(string message, Exception innerException)
        : base(message, innerException) => Results = [];

    /// <summary>Creates the exception for failures and results.</summary>
    /// <param name="failures">In the order of the source.</param>
    /// <param name="results">The successful results with their index in the source, in its order.</param>
    public FlowFailuresException(IReadOnlyList<FlowFailure> failures, IReadOnlyList<KeyValuePair<long, TResult>> results)
        : this(failures, results, sourceFailure: null)
    {
    }

    /// <summary>Creates the exception for failures, results and a source that threw.</summary>
    /// <param name="failures">In the order of the source.</param>
    /// <param name="results">The successful results with their index in the source, in its order.</param>
    /// <param name="sourceFailure">The source's exception, or null when it completed.</param>
    public FlowFailuresException(IReadOnlyList<FlowFailure> failures, IReadOnlyList<KeyValuePair<long, TResult>> results, Exception? sourceFailure)
        : base(failures, sourceFailure) => Results = results;

    /// <summary>The successful results with their index in the source, in its order.</summary>
    public IReadOnlyList<KeyValuePair<long, TResult>> Results { get; }
}
