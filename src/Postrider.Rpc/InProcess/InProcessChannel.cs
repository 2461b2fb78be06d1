using Postrider.Rpc.InProcess;

namespace Postrider.Rpc;

/// <summary>Calls services in the same process. Objects are passed by reference, without serialization.</summary>
/// <remarks>Do not change an object after passing it to a call: the other side holds the same object. Failures look as they do over other
/// transports, so that code does not depend on exceptions that only this transport provides.</remarks>
public sealed class InProcessChannel : RpcChannel
{
    private readonly Dictionary<string, OperationEndpoint> _operations = new(StringComparer.Ordinal);
    private readonly CallLimits _limits;

    /// <summary>Creates a channel to services.</summary>
    /// <param name="services">The services, created by the contracts' <c>Serve</c>.</param>
    /// <exception cref="ArgumentException">Two services have the same name.</exception>
    public InProcessChannel(params IReadOnlyList<RpcService> services)
        : this(new InProcessChannelOptions(), services)
    {
    }

    /// <summary>Creates a channel to services.</summary>
    /// <param name="options">The options.</param>
    /// <param name="services">The services, created by the contracts' <c>Serve</c>.</param>
    /// <exception cref="ArgumentException">Two services have the same name.</exception>
    public InProcessChannel(InProcessChannelOptions options, params IReadOnlyList<RpcService> services)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(services);
        _limits = new(options);
        foreach (var operation in services.SelectMany(s => s.Operations))
        {
            if (!_operations.TryAdd(operation.Operation.Path, operation))
                throw new ArgumentException($"{operation.Operation.Path} is registered twice.", nameof(services));
        }
    }

    /// <inheritdoc/>
    public override OperationInvoker<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation)
    {
        ArgumentNullException.ThrowIfNull(operation);
        return new InProcessInvoker<TRequest, TItem, TResponse>(
            operation, _operations.GetValueOrDefault(operation.Path) as OperationEndpoint<TRequest, TItem, TResponse>, _limits);
    }

    /// <inheritdoc/>
    public override ValueTask DisposeAsync()
    {
        _limits.IsClosed = true;
        return default;
    }
}
