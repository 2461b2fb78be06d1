using Postrider.Rpc.Dispatching;

namespace Postrider.Rpc;

/// <summary>Exposes handlers of the dispatcher as a service: each operation is a message type, and a call runs through the dispatcher's
/// whole pipeline.</summary>
/// <remarks>Pass the service to any server. <see cref="DispatcherClient"/> calls it with the messages themselves; other clients use the
/// name of the message type as operation name and send the message. <see cref="DispatcherCalls"/> describes how failures are mapped. Not
/// thread-safe during configuration.</remarks>
/// <param name="dispatcher">Handles the messages; one from the root provider creates a scope for each message that needs one.</param>
/// <param name="name">The service's name on the wire: letters, digits, '-' and '_'.</param>
/// <param name="version">The version, for example 1.2.3.</param>
/// <param name="faults">The faults of handlers that are sent with their details.</param>
public sealed class DispatcherService(IDispatcher dispatcher, string name, string version = "1.0.0", params IReadOnlyList<FaultDescription> faults)
{
    private readonly List<OperationEndpoint> _operations = [];

    /// <summary>Exposes the handler of a request, a query or a command with a result.</summary>
    /// <typeparam name="TRequest">The message.</typeparam>
    /// <typeparam name="TResponse">The handler's result.</typeparam>
    /// <returns>This instance, for chaining.</returns>
    /// <exception cref="InvalidOperationException">An operation of that name is already exposed.</exception>
    public DispatcherService Request<TRequest, TResponse>()
        where TRequest : IRequest<TResponse>
        => Add(new OperationEndpoint<TRequest, Unit, TResponse>(
            MessageOperation.Create<TRequest, TResponse>(name, OperationKind.Unary, faults),
            (request, _, context, ct) => DispatcherCalls.SendAsync<TResponse>(dispatcher, request, context, ct)));

    /// <summary>Exposes the handler of a command. The call completes when the handler has run.</summary>
    /// <typeparam name="TCommand">The message.</typeparam>
    /// <returns>This instance, for chaining.</returns>
    /// <exception cref="InvalidOperationException">An operation of that name is already exposed.</exception>
    public DispatcherService Command<TCommand>()
        where TCommand : ICommand
        => Add(new OperationEndpoint<TCommand, Unit, Unit>(
            MessageOperation.Create<TCommand, Unit>(name, OperationKind.Unary, faults), (command, _, context, ct) => DispatcherCalls.SendAsync(dispatcher, command, context, ct)));

    /// <summary>Exposes the handlers of a notification. The call completes when the notification has been sent.</summary>
    /// <typeparam name="TNotification">The message.</typeparam>
    /// <returns>This instance, for chaining.</returns>
    /// <exception cref="InvalidOperationException">An operation of that name is already exposed.</exception>
    public DispatcherService Notification<TNotification>()
        where TNotification : INotification
        => Add(new OperationEndpoint<TNotification, Unit, Unit>(
            MessageOperation.Create<TNotification, Unit>(name, OperationKind.OneWay, faults),
            (notification, _, context, ct) => DispatcherCalls.PublishAsync(dispatcher, notification, context, ct)));

    /// <summary>Exposes the handler of a stream.</summary>
    /// <typeparam name="TRequest">The message.</typeparam>
    /// <typeparam name="TItem">The handler's items.</typeparam>
    /// <returns>This instance, for chaining.</returns>
    /// <exception cref="InvalidOperationException">An operation of that name is already exposed.</exception>
    public DispatcherService Stream<TRequest, TItem>()
        where TRequest : IStreamRequest<TItem>
        => Add(new OperationEndpoint<TRequest, Unit, TItem>(
            MessageOperation.Create<TRequest, TItem>(name, OperationKind.ServerStream, faults),
            (request, _, context, ct) => DispatcherCalls.StreamAsync<TItem>(dispatcher, request, context, ct)));

    /// <summary>Creates the service from the operations added so far.</summary>
    /// <returns>The service.</returns>
    public RpcService ToEndpoint() => new(name, version, [.. _operations]);

    private DispatcherService Add(OperationEndpoint endpoint)
    {
        if (_operations.Exists(o => o.Operation.Name == endpoint.Operation.Name))
            throw new InvalidOperationException($"{endpoint.Operation.Path} is already exposed.");
        _operations.Add(endpoint);
        return this;
    }
}
