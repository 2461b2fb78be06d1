using System.Collections.Concurrent;
using Postrider.Rpc.Dispatching;

namespace Postrider.Rpc;

/// <summary>Sends messages to a <see cref="DispatcherService"/> elsewhere.</summary>
/// <param name="channel">The way there; not owned.</param>
/// <param name="name">The service's name on the wire.</param>
/// <param name="faults">The failures that arrive with their details: those of the service.</param>
/// <remarks>Thread-safe.</remarks>
public sealed class DispatcherClient(RpcChannel channel, string name, params IReadOnlyList<FaultDescription> faults)
{
    private readonly ConcurrentDictionary<(Type Message, Type Response, OperationKind Kind), object> _callers = new();

    /// <summary>Sends a request, a query or a command that answers.</summary>
    /// <typeparam name="TRequest">The message.</typeparam>
    /// <typeparam name="TResponse">What its handler gives.</typeparam>
    /// <param name="request">The message.</param>
    /// <param name="context">The call's time, or null.</param>
    /// <param name="ct">Gives up; the handler's token is cancelled too.</param>
    /// <returns>What the handler gave.</returns>
    /// <exception cref="RpcException">The call did not succeed.</exception>
    public ValueTask<TResponse> SendAsync<TRequest, TResponse>(TRequest request, CallContext? context = null, CancellationToken ct = default)
        where TRequest : IRequest<TResponse>
        => OperationInvoker<TRequest, TResponse>(OperationKind.Unary).CallAsync(request, null, context, ct);

    /// <summary>Sends a command and waits until its handler has run.</summary>
    /// <typeparam name="TCommand">The message.</typeparam>
    /// <param name="command">The message.</param>
    /// <param name="context">The call's time, or null.</param>
    /// <param name="ct">Gives up; the handler's token is cancelled too.</param>
    /// <returns>When the handler has run.</returns>
    /// <exception cref="RpcException">The call did not succeed.</exception>
    public ValueTask SendAsync<TCommand>(TCommand command, CallContext? context = null, CancellationToken ct = default)
        where TCommand : ICommand
        => ResultAdapters.FromUnit(OperationInvoker<TCommand, Unit>(OperationKind.Unary).CallAsync(command, null, context, ct));

    /// <summary>Hands a notification over.</summary>
    /// <typeparam name="TNotification">The message.</typeparam>
    /// <param name="notification">The message.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>When it is on its way.</returns>
    /// <exception cref="RpcException">It could not be handed over.</exception>
    public ValueTask PublishAsync<TNotification>(TNotification notification, CancellationToken ct = default)
        where TNotification : INotification
        => ResultAdapters.FromUnit(OperationInvoker<TNotification, Unit>(OperationKind.OneWay).CallAsync(notification, null, null, ct));

    /// <summary>Asks for a stream.</summary>
    /// <typeparam name="TRequest">The message.</typeparam>
    /// <typeparam name="TItem">What its handler gives.</typeparam>
    /// <param name="request">The message.</param>
    /// <param name="context">The call's time, or null.</param>
    /// <param name="ct">Gives up; the handler's token is cancelled too.</param>
    /// <returns>The items; leaving the loop before their end ends the handler.</returns>
    /// <exception cref="RpcException">The call did not succeed.</exception>
    public IAsyncEnumerable<TItem> StreamAsync<TRequest, TItem>(TRequest request, CallContext? context = null, CancellationToken ct = default)
        where TRequest : IStreamRequest<TItem>
        => OperationInvoker<TRequest, TItem>(OperationKind.ServerStream).StreamAsync(request, null, context, ct);

    private OperationInvoker<TMessage, Unit, TResponse> OperationInvoker<TMessage, TResponse>(OperationKind kind)
        => (OperationInvoker<TMessage, Unit, TResponse>)_callers.GetOrAdd(
            (typeof(TMessage), typeof(TResponse), kind),
            static (key, way) => way.Channel.Bind(MessageOperation.GetFormatter<TMessage, TResponse>(way.Name, key.Kind, way.Faults)),
            (Channel: channel, Name: name, Faults: faults));
}
