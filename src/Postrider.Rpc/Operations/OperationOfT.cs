namespace Postrider.Rpc;

/// <summary>The description of an operation with its types.</summary>
/// <typeparam name="TRequest">The request message: a parameter, <see cref="RpcArguments{TFirst, TRest}"/> for several, or
/// <see cref="Unit"/>.</typeparam>
/// <typeparam name="TItem">The item type of the request stream, or <see cref="Unit"/>.</typeparam>
/// <typeparam name="TResponse">The response message, the item type of the response stream, or <see cref="Unit"/>.</typeparam>
/// <param name="service">The service's name on the wire.</param>
/// <param name="name">The operation's name on the wire.</param>
/// <param name="kind">The kind of the operation.</param>
/// <param name="inputs">The special parameters of the method.</param>
/// <param name="request">Creates the formatter of the request message.</param>
/// <param name="faults">The declared faults.</param>
public sealed class Operation<TRequest, TItem, TResponse>(
    string service, string name, OperationKind kind, SpecialParameters inputs, Func<RpcCodec, RpcFormatter<TRequest>> request, params IReadOnlyList<FaultDescription> faults)
    : Operation(service, name, kind, inputs, faults)
{
    /// <summary>Creates the formatter of the response message if it consists of a result and parameters that are passed back.</summary>
    public Func<RpcCodec, RpcFormatter<TResponse>>? Response { get; init; }

    /// <summary>Creates the formatter of the request message.</summary>
    /// <param name="codec">The codec.</param>
    /// <returns>The formatter.</returns>
    /// <exception cref="RpcException">The codec does not support a type: <see cref="RpcStatus.Unsupported"/>.</exception>
    public RpcFormatter<TRequest> RequestFormatter(RpcCodec codec) => request(codec);

    /// <summary>The HTTP route with the type of the message; null for <c>POST service/operation</c>.</summary>
    public HttpRoute<TRequest>? Route { get; init; }

    /// <inheritdoc/>
    public override HttpRoute? HttpRoute => Route;

    /// <summary>Creates the formatter of the response message.</summary>
    /// <param name="codec">The codec.</param>
    /// <returns>The formatter.</returns>
    /// <exception cref="RpcException">The codec does not support a type: <see cref="RpcStatus.Unsupported"/>.</exception>
    public RpcFormatter<TResponse> ResponseFormatter(RpcCodec codec)
    {
        ArgumentNullException.ThrowIfNull(codec);
        return Response is null ? codec.GetFormatter<TResponse>() : Response(codec);
    }

    /// <summary>Copies the operation with <see cref="Operation.TakesContext"/> set, so that transports provide the context.</summary>
    /// <returns>The copy.</returns>
    public Operation<TRequest, TItem, TResponse> WithContext()
    {
        var copy = (Operation<TRequest, TItem, TResponse>)MemberwiseClone();
        copy.Inputs |= SpecialParameters.Context;
        return copy;
    }
}
