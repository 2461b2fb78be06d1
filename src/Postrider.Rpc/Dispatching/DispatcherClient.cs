using System.Collections.Concurrent;
using Postrider.Rpc.Dispatching;

namespace Postrider.Rpc;

/// <summary>Sends messages to a remote <see cref="DispatcherService"/>.</summary>
/// <param name="channel">The channel; not owned.</param>
/// <param name="name">The service's name on the wire.</param>
/// <param name="faults">The faults that arrive with their details: those of the service.</param>
/// <remarks>Thread-safe.</remarks>
public sealed class DispatcherClient(RpcChannel channel, string name, params IReadOnlyList<FaultDescription> faults)
{
    private readonly ConcurrentDictionary<(Type Message, Type Response, OperationKind Kind), object> _callers = new();

    /// <summary>Sends a request, a query or a command with a result.</summary>
    /// <typeparam name="TRequest">The message.</typeparam>
    /// <typeparam name="TResponse">The handler's result.</typeparam>
    /// <param name="request">The message.</param>
    /// <param name="context">The context of the call, or null.</param>
    /// <param name="ct">Cancels the call and the handler's token.</param>
    /// <returns>The handler's result.</returns>
    /// <exception cref="RpcException">The call failed.</exception>
    public ValueTask<TResponse> SendAsync<TRequest, TResponse>(TRequest request, CallContext? context = null, CancellationToken ct = default)
        where TRequest : IRequest<TResponse>
        => Invoker<TRequest, TResponse>(OperationKind.Unary).CallAsync(request, null, context, ct);

    /// <summary>Sends a command and waits until its handler has run.</summary>
    /// <typeparam name="TCommand">The message.</typeparam>
    /// <param name="command">The message.</param>
    /// <param name="context">The context of the call, or null.</param>
    /// <param name="ct">Cancels the call and the handler's token.</param>
    /// <returns>A task that completes when the handler has run.</returns>
    /// <exception cref="RpcException">The call failed.</exception>
    public ValueTask SendAsync<TCommand>(TCommand command, CallContext? context = null, CancellationToken ct = default)
        where TCommand : ICommand
        => ResultAdapters.FromUnit(Invoker<TCommand, Unit>(OperationKind.Unary).CallAsync(command, null, context, ct));

    /// <summary>Sends a notification.</summary>
    /// <typeparam name="TNotification">The message.</typeparam>
    /// <param name="notification">The message.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A task that completes when the notification has been sent.</returns>
    /// <exception cref="RpcException">The notification could not be sent.</exception>
    public ValueTask PublishAsync<TNotification>(TNotification notification, CancellationToken ct = default)
        where TNotification : INotification
        => ResultAdapters.FromUnit(Invoker<TNotification, Unit>(OperationKind.OneWay).CallAsync(notification, null, null, ct));

    /// <summary>Requests a stream.</summary>
    /// <typeparam name="TRequest">The message.</typeparam>
    /// <typeparam name="TItem">The handler's items.</typeparam>
    /// <param name="request">The message.</param>
    /// <param name="context">The context of the call, or null.</param>
    /// <param name="ct">Cancels the call and the handler's token.</param>
    /// <returns>The items. Ending the enumeration early cancels the handler.</returns>
    /// <exception cref="RpcException">The call failed.</exception>
    public IAsyncEnumerable<TItem> StreamAsync<TRequest, TItem>(TRequest request, CallContext? context = null, CancellationToken ct = default)
        where TRequest : IStreamRequest<TItem>
        => Invoker<TRequest, TItem>(OperationKind.ServerStream).StreamAsync(request, null, context, ct);

    private OperationInvoker<TMessage, Unit, TResponse> Invoker<TMessage, TResponse>(OperationKind kind)
        => (OperationInvoker<TMessage, Unit, TResponse>)_callers.GetOrAdd(
            (typeof(TMessage), typeof(TResponse), kind),
            static (key, way) => way.Channel.Bind(MessageOperation.Create<TMessage, TResponse>(way.Name, key.Kind, way.Faults)),
            (Channel: channel, Name: name, Faults: faults));
}
