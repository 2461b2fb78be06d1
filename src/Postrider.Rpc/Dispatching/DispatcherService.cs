using Postrider.Rpc.Dispatching;

namespace Postrider.Rpc;

/// <summary>Exposes handlers of the dispatcher as a service: each operation is a message type, and a call is the dispatcher's with its whole pipeline.</summary>
/// <remarks>Give the endpoint to any server. <see cref="DispatcherClient"/> calls it with the messages themselves; other callers know an
/// operation by its name, which is the message type's, and send the message. <see cref="DispatcherCalls"/> says what becomes of failures. Not
/// thread-safe while it is being filled.</remarks>
/// <param name="dispatcher">Takes the messages; one from the root makes a scope for each that needs one.</param>
/// <param name="name">The service's name on the wire: letters, digits, '-' and '_'.</param>
/// <param name="version">Its version, of the form 1.2.3.</param>
/// <param name="faults">The failures of handlers that callers are told with their details.</param>
public sealed class DispatcherService(IDispatcher dispatcher, string name, string version = "1.0.0", params IReadOnlyList<FaultDescription> faults)
{
    private readonly List<OperationEndpoint> _operations = [];

    /// <summary>Exposes the handler of a request, a query or a command that answers.</summary>
    /// <typeparam name="TRequest">The message.</typeparam>
    /// <typeparam name="TResponse">What its handler gives.</typeparam>
    /// <returns>This, for the next.</returns>
    /// <exception cref="InvalidOperationException">An operation of that name is already exposed.</exception>
    public DispatcherService Request<TRequest, TResponse>()
        where TRequest : IRequest<TResponse>
        => Add(new OperationEndpoint<TRequest, Unit, TResponse>(
            MessageOperation.GetFormatter<TRequest, TResponse>(name, OperationKind.Unary, faults),
            (request, _, context, ct) => DispatcherCalls.SendAsync<TResponse>(dispatcher, request, context, ct)));

    /// <summary>Exposes the handler of a command; the call ends when it has run.</summary>
    /// <typeparam name="TCommand">The message.</typeparam>
    /// <returns>This, for the next.</returns>
    /// <exception cref="InvalidOperationException">An operation of that name is already exposed.</exception>
    public DispatcherService Command<TCommand>()
        where TCommand : ICommand
        => Add(new OperationEndpoint<TCommand, Unit, Unit>(
            MessageOperation.GetFormatter<TCommand, Unit>(name, OperationKind.Unary, faults), (command, _, context, ct) => DispatcherCalls.SendAsync(dispatcher, command, context, ct)));

    /// <summary>Exposes the handlers of a notification; the call ends when it is handed over.</summary>
    /// <typeparam name="TNotification">The message.</typeparam>
    /// <returns>This, for the next.</returns>
    /// <exception cref="InvalidOperationException">An operation of that name is already exposed.</exception>
    public DispatcherService Notification<TNotification>()
        where TNotification : INotification
        => Add(new OperationEndpoint<TNotification, Unit, Unit>(
            MessageOperation.GetFormatter<TNotification, Unit>(name, OperationKind.OneWay, faults),
            (notification, _, context, ct) => DispatcherCalls.PublishAsync(dispatcher, notification, context, ct)));

    /// <summary>Exposes the handler of a stream.</summary>
    /// <typeparam name="TRequest">The message.</typeparam>
    /// <typeparam name="TItem">What its handler gives.</typeparam>
    /// <returns>This, for the next.</returns>
    /// <exception cref="InvalidOperationException">An operation of that name is already exposed.</exception>
    public DispatcherService Stream<TRequest, TItem>()
        where TRequest : IStreamRequest<TItem>
        => Add(new OperationEndpoint<TRequest, Unit, TItem>(
            MessageOperation.GetFormatter<TRequest, TItem>(name, OperationKind.ServerStream, faults),
            (request, _, context, ct) => DispatcherCalls.StreamAsync<TItem>(dispatcher, request, context, ct)));

    /// <summary>What was added so far.</summary>
    /// <returns>What a server serves.</returns>
    public RpcService ToEndpoint() => new(name, version, [.. _operations]);

    private DispatcherService Add(OperationEndpoint endpoint)
    {
        if (_operations.Exists(o => o.Operation.Name == endpoint.Operation.Name))
            throw new InvalidOperationException($"{endpoint.Operation.Path} is already exposed.");
        _operations.Add(endpoint);
        return this;
    }
}
