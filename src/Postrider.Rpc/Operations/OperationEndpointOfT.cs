namespace Postrider.Rpc;

/// <summary>An operation with the code that answers it, and its types.</summary>
/// <typeparam name="TRequest">The message there.</typeparam>
/// <typeparam name="TItem">What the caller streams.</typeparam>
/// <typeparam name="TResponse">The message back or an item of the stream back.</typeparam>
public sealed class OperationEndpoint<TRequest, TItem, TResponse> : OperationEndpoint
{
    private readonly Func<TRequest, IAsyncEnumerable<TItem>?, CallContext?, CancellationToken, ValueTask<TResponse>>? _call;
    private readonly Func<TRequest, IAsyncEnumerable<TItem>?, CallContext?, CancellationToken, IAsyncEnumerable<TResponse>>? _stream;

    /// <summary>Answers with a message or nothing.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="call">The implementation.</param>
    public OperationEndpoint(
        Operation<TRequest, TItem, TResponse> operation,
        Func<TRequest, IAsyncEnumerable<TItem>?, CallContext?, CancellationToken, ValueTask<TResponse>> call)
        => (Contract, _call) = (operation, call);

    /// <summary>Answers with a stream.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="stream">The implementation.</param>
    public OperationEndpoint(
        Operation<TRequest, TItem, TResponse> operation,
        Func<TRequest, IAsyncEnumerable<TItem>?, CallContext?, CancellationToken, IAsyncEnumerable<TResponse>> stream)
        => (Contract, _stream) = (operation, stream);

    /// <summary>The operation with its types.</summary>
    public Operation<TRequest, TItem, TResponse> Contract { get; }

    /// <inheritdoc/>
    public override Operation Operation => Contract;

    /// <summary>Runs an operation that gives a message or nothing.</summary>
    /// <param name="request">The message there.</param>
    /// <param name="items">What the caller streams, or null.</param>
    /// <param name="context">Headers and time; null when the method has no parameter for it.</param>
    /// <param name="ct">Cancelled when the caller gives up.</param>
    /// <returns>The message back.</returns>
    public ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        => _call!(request, items, context, ct);

    /// <summary>Runs an operation that gives a stream.</summary>
    /// <param name="request">The message there.</param>
    /// <param name="items">What the caller streams, or null.</param>
    /// <param name="context">Headers and time; null when the method has no parameter for it.</param>
    /// <param name="ct">Cancelled when the caller gives up.</param>
    /// <returns>The items.</returns>
    public IAsyncEnumerable<TResponse> StreamAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        => _stream!(request, items, context, ct);

    /// <inheritdoc/>
    public override TResult Accept<TResult>(IEndpointVisitor<TResult> visitor)
    {
        ArgumentNullException.ThrowIfNull(visitor);
        return visitor.Visit(this);
    }
}
