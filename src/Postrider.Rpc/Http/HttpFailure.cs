using System.Buffers;
using System.Text.Json;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Http;

/// <summary>Failures as HTTP carries them.</summary>
internal static class HttpFailure
{
    /// <summary>The exception of an answer that is no success.</summary>
    public static RpcException Read(HttpResponseMessage response, in ReadOnlySequence<byte> body, Operation operation, RpcCodec codec)
    {
        var status = Enum.TryParse<RpcStatus>(Header(response, HttpNames.Status), out var told) && told != RpcStatus.Ok ? told : HttpNames.FromHttp((int)response.StatusCode);
        var fault = Header(response, HttpNames.Fault);
        if (response.Content.Headers.ContentType?.MediaType == HttpNames.Problem)
            return Problem(body, status, fault).ToException(operation, codec);

        var message = Header(response, HttpNames.Message) is { } encoded ? Uri.UnescapeDataString(encoded) : $"{operation.Path} was answered by HTTP status {(int)response.StatusCode}.";
        return new CallFailure(status == RpcStatus.Fault && fault is null ? RpcStatus.Internal : status, message, fault, body.ToArray()).ToException(operation, codec);
    }

    private static CallFailure Problem(in ReadOnlySequence<byte> body, RpcStatus status, string? fault)
    {
        var message = "The failure cannot be read.";
        ReadOnlyMemory<byte> detail = default;
        try
        {
            using var problem = JsonDocument.Parse(body);
            if (problem.RootElement.ValueKind == JsonValueKind.Object)
            {
                if (problem.RootElement.TryGetProperty("detail", out var text) && text.ValueKind == JsonValueKind.String)
                    message = text.GetString()!;
                if (problem.RootElement.TryGetProperty("fault", out var value))
                    detail = JsonSerializer.SerializeToUtf8Bytes(value, ScalarJson.Default.JsonElement);
            }
        }
        catch (JsonException)
        {
            // The status tells what is known.
        }

        return new(status, message, fault, detail);
    }

    private static string? Header(HttpResponseMessage response, string name)
        => response.Headers.NonValidated.TryGetValues(name, out var values) ? values.ToString() : null;
}
