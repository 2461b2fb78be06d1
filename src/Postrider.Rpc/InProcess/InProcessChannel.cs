using Postrider.Rpc.InProcess;

namespace Postrider.Rpc;

/// <summary>Calls services in the same process: no bytes, the objects themselves are handed over.</summary>
/// <remarks>What is given to a call is not to be changed afterwards: the other side holds the same object. Failures arrive as
/// they would from elsewhere, so that code does not come to depend on exceptions that no other transport carries.</remarks>
public sealed class InProcessChannel : RpcChannel
{
    private readonly Dictionary<string, OperationEndpoint> _operations = new(StringComparer.Ordinal);
    private readonly CallLimits _limits;

    /// <summary>Reaches services.</summary>
    /// <param name="services">The services, made by the contracts' <c>Serve</c>.</param>
    /// <exception cref="ArgumentException">Two have the same name.</exception>
    public InProcessChannel(params IReadOnlyList<RpcService> services)
        : this(new InProcessChannelOptions(), services)
    {
    }

    /// <summary>Reaches services.</summary>
    /// <param name="options">Time and what of failures is shown.</param>
    /// <param name="services">The services, made by the contracts' <c>Serve</c>.</param>
    /// <exception cref="ArgumentException">Two have the same name.</exception>
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
