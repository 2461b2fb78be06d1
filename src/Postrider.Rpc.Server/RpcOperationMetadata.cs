namespace Postrider.Rpc.Server;

/// <summary>Metadata of a route: the operation it serves.</summary>
/// <param name="Service">The contract.</param>
/// <param name="Endpoint">The operation.</param>
/// <param name="Codecs">The forms in which it is served, the preferred first.</param>
internal sealed record RpcOperationMetadata(RpcService Service, OperationEndpoint Endpoint, IReadOnlyList<RpcCodec> Codecs);
