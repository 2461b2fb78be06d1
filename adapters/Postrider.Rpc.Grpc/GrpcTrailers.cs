using System.Globalization;
using System.Net.Http.Headers;
using Postrider.Rpc.Http;

namespace Postrider.Rpc.Grpc;

/// <summary>The result of a call in trailers.</summary>
internal static class GrpcTrailers
{
    /// <summary>The trailers of a failure: gRPC's own, and Postrider's if gRPC's numbers are not precise enough.</summary>
    public static IEnumerable<KeyValuePair<string, string>> Trailers(CallFailure failure, Operation operation, RpcCodec codec)
    {
        var code = GrpcStatus.From(failure.Status);
        yield return new(GrpcNames.Status, code.ToString(CultureInfo.InvariantCulture));
        yield return new(GrpcNames.Message, GrpcNames.Encode(failure.Message));
        yield return new(HttpNames.Status, failure.Status.ToString());
        if (failure.Fault is not { } fault || operation.FindFault(fault) is not { } known)
            yield break;
        yield return new(HttpNames.Fault, fault);
        yield return new(GrpcNames.Details, StatusDetails.Write(code, failure.Message, codec.SchemaName(known.Detail), failure.Detail.Span));
    }

    /// <summary>Whether these headers contain the result of a call.</summary>
    public static bool IsEnd(HttpHeaders headers) => headers.NonValidated.Contains(GrpcNames.Status);

    /// <summary>The exception for the caller, or null if the call succeeded.</summary>
    public static RpcException? Read(HttpHeaders trailers, Operation operation, RpcCodec codec)
    {
        if (Value(trailers, GrpcNames.Status) is not { } text)
            return new RpcException(RpcStatus.Unavailable, $"The response of {operation.Path} is incomplete: {GrpcNames.Status} is missing.");
        if (!int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var code))
            return new RpcException(RpcStatus.ProtocolError, $"{operation.Path} ended with an invalid {GrpcNames.Status} '{text}'.");
        if (code == GrpcStatus.Ok)
            return null;

        var status = Enum.TryParse<RpcStatus>(Value(trailers, HttpNames.Status), out var told) && told != RpcStatus.Ok
            ? told == RpcStatus.Fault ? RpcStatus.Internal : told
            : GrpcStatus.ToStatus(code);
        var message = Value(trailers, GrpcNames.Message) is { Length: > 0 } words ? Uri.UnescapeDataString(words) : $"{operation.Path} ended with gRPC status {code}.";
        return Value(trailers, GrpcNames.Details) is { } details && StatusDetails.TryRead(details, out var type, out var detail)
            && operation.Faults.FirstOrDefault(f => codec.SchemaName(f.Detail) == type) is { } fault
            ? new CallFailure(RpcStatus.Fault, message, fault.Name, detail).ToException(operation, codec)
            : new CallFailure(status, message).ToException(operation, codec);
    }

    private static string? Value(HttpHeaders headers, string name)
        => headers.NonValidated.TryGetValues(name, out var values) ? values.ToString() : null;
}
