namespace Postrider.Rpc;

/// <summary>An operation with its implementation and types.</summary>
/// <typeparam name="TRequest">The request message.</typeparam>
/// <typeparam name="TItem">The item type of the request stream.</typeparam>
/// <typeparam name="TResponse">The response message, or the item type of the response stream.</typeparam>
public sealed class OperationEndpoint<TRequest, TItem, TResponse> : OperationEndpoint
{
    private readonly Func<TRequest, IAsyncEnumerable<TItem>?, CallContext?, CancellationToken, ValueTask<TResponse>>? _call;
    private readonly Func<TRequest, IAsyncEnumerable<TItem>?, CallContext?, CancellationToken, IAsyncEnumerable<TResponse>>? _stream;

    /// <summary>Creates an endpoint that returns one message or nothing.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="call">The implementation.</param>
    public OperationEndpoint(
        Operation<TRequest, TItem, TResponse> operation,
        Func<TRequest, IAsyncEnumerable<TItem>?, CallContext?, CancellationToken, ValueTask<TResponse>> call)
        => (Contract, _call) = (operation, call);

    /// <summary>Creates an endpoint that returns a stream.</summary>
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

    /// <summary>The implementation of an operation that returns one message or nothing, otherwise null.</summary>
    internal Func<TRequest, IAsyncEnumerable<TItem>?, CallContext?, CancellationToken, ValueTask<TResponse>>? Call => _call;

    /// <summary>Runs an operation that returns one message or nothing.</summary>
    /// <param name="request">The request message.</param>
    /// <param name="items">The request stream, or null.</param>
    /// <param name="context">The context of the call; null if the method has no parameter for it.</param>
    /// <param name="ct">Cancelled when the caller cancels the call.</param>
    /// <returns>The response message.</returns>
    public ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        => _call!(request, items, context, ct);

    /// <summary>Runs an operation that returns a stream.</summary>
    /// <param name="request">The request message.</param>
    /// <param name="items">The request stream, or null.</param>
    /// <param name="context">The context of the call; null if the method has no parameter for it.</param>
    /// <param name="ct">Cancelled when the caller cancels the call.</param>
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
