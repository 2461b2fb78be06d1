namespace Postrider.Rpc;

/// <summary>An operation with its types.</summary>
/// <typeparam name="TRequest">The message there: a parameter, <see cref="RpcArguments{TFirst, TRest}"/> of several, or <see cref="Unit"/>.</typeparam>
/// <typeparam name="TItem">What the caller streams, or <see cref="Unit"/>.</typeparam>
/// <typeparam name="TResponse">The message back or an item of the stream back, or <see cref="Unit"/>.</typeparam>
/// <param name="service">The service's name on the wire.</param>
/// <param name="name">The operation's.</param>
/// <param name="kind">What goes to and fro.</param>
/// <param name="inputs">What the method takes besides its message.</param>
/// <param name="request">Makes the formatter of the message there.</param>
/// <param name="faults">The failures that the contract names.</param>
public sealed class Operation<TRequest, TItem, TResponse>(
    string service, string name, OperationKind kind, SpecialParameters inputs, Func<RpcCodec, RpcFormatter<TRequest>> request, params IReadOnlyList<FaultDescription> faults)
    : Operation(service, name, kind, inputs, faults)
{
    /// <summary>Makes the formatter of the message back where it is not of one type: a result with parameters that are passed back.</summary>
    public Func<RpcCodec, RpcFormatter<TResponse>>? Response { get; init; }

    /// <summary>The formatter of the message there.</summary>
    /// <param name="codec">The codec that makes it.</param>
    /// <returns>The formatter.</returns>
    /// <exception cref="RpcException">The codec does not support a type: <see cref="RpcStatus.Unsupported"/>.</exception>
    public RpcFormatter<TRequest> RequestFormatter(RpcCodec codec) => request(codec);

    /// <summary>Its own path over HTTP, with the message; null for <c>POST service/operation</c>.</summary>
    public HttpRoute<TRequest>? Route { get; init; }

    /// <inheritdoc/>
    public override HttpRoute? HttpRoute => Route;

    /// <summary>The formatter of the message back.</summary>
    /// <param name="codec">The codec that makes it.</param>
    /// <returns>The formatter.</returns>
    /// <exception cref="RpcException">The codec does not support a type: <see cref="RpcStatus.Unsupported"/>.</exception>
    public RpcFormatter<TResponse> ResponseFormatter(RpcCodec codec)
    {
        ArgumentNullException.ThrowIfNull(codec);
        return Response is null ? codec.GetFormatter<TResponse>() : Response(codec);
    }

    /// <summary>The same operation, whose endpoint takes the call's context: transports bring headers to those alone.</summary>
    /// <returns>The copy.</returns>
    public Operation<TRequest, TItem, TResponse> WithContext()
    {
        var copy = (Operation<TRequest, TItem, TResponse>)MemberwiseClone();
        copy.Inputs |= SpecialParameters.Context;
        return copy;
    }
}
