using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Postrider.Serialization.Json;

namespace Postrider.Rpc.Http;

/// <summary>Failures in HTTP's format.</summary>
internal static class ProblemDetailsMapping
{
    // RFC 9113, section 7: the peer requires HTTP/1.1.
    private const long Http11Required = 0xd;

    private const int MaxTextBytes = 500;
    private const string PortOfItsOwn = "HTTP/2 without TLS requires a port that accepts only HTTP/2 (Kestrel: HttpProtocols.Http2).";

    private static readonly SearchValues<char> s_unprintable = SearchValues.Create("\0\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\v\f\r\u001B\u007F\uFFFD");

    /// <summary>Whether no connection was established.</summary>
    public static bool IsUnsent(Exception failure)
        => failure is HttpRequestException { HttpRequestError: HttpRequestError.NameResolutionError or HttpRequestError.ConnectionError or HttpRequestError.SecureConnectionError };

    /// <summary>A failure of the HTTP client as text: its own message often only refers to an inner exception.</summary>
    public static string Words(Exception failure)
    {
        var cause = failure.GetBaseException();
        // Depending on timing, either the server's error code or the end of the connection is seen first.
        return cause is HttpProtocolException { ErrorCode: Http11Required } ? $"The server supports only HTTP/1.1 on this port. {PortOfItsOwn}"
            : IsWithoutHandshake(failure) ? $"The server closed the connection before the HTTP/2 handshake. {PortOfItsOwn}"
            : cause.Message.Length == 0 || failure.Message.Contains(cause.Message, StringComparison.Ordinal) ? failure.Message : $"{failure.Message} {cause.Message}";
    }

    private static bool IsWithoutHandshake(Exception? failure)
        => failure is not null && (failure is IOException or HttpRequestException && failure.Message.Contains("HTTP/2 handshake", StringComparison.Ordinal) || IsWithoutHandshake(failure.InnerException));

    /// <summary>The exception for the caller of an operation that ended without a response.</summary>
    /// <param name="failure">The failure on the way; returned itself if no cause here explains it.</param>
    /// <param name="operation">The operation that was called.</param>
    /// <param name="address">The address that was called.</param>
    /// <param name="end">The token of the call, which its timeout cancels.</param>
    /// <param name="closing">Cancelled when the channel is closed.</param>
    /// <param name="ct">The caller's own token.</param>
    public static Exception Translate(Exception failure, Operation operation, Uri address, DeadlineTokenSource end, CancellationToken closing, CancellationToken ct)
    {
        if (ct.IsCancellationRequested)
            return new OperationCanceledException($"The call of {operation.Path} was cancelled.", failure, ct);
        if (closing.IsCancellationRequested && failure is OperationCanceledException or ObjectDisposedException)
            return ChannelClosed.Failure();
        if (end.Token.IsCancellationRequested)
            return CallTimeout.Exceeded(operation.Path, failure);
        return failure is HttpRequestException or IOException
            ? new RpcException(RpcStatus.Unavailable, $"{address} cannot be reached or the connection was lost: {Words(failure)}", failure) { IsUnsent = IsUnsent(failure) }
            : failure;
    }

    /// <summary>Creates the exception for an unsuccessful response.</summary>
    public static RpcException Read(HttpResponseMessage response, in ReadOnlySequence<byte> body, Operation operation, RpcCodec codec)
    {
        var status = Enum.TryParse<RpcStatus>(Header(response, HttpNames.Status), out var told) && told != RpcStatus.Ok ? told : HttpNames.FromHttp((int)response.StatusCode);
        var fault = Header(response, HttpNames.Fault);
        if (response.Content.Headers.ContentType?.MediaType == HttpNames.Problem)
            return Describe(body, status, fault).ToException(operation, codec);

        var message = Header(response, HttpNames.Message) is { } encoded ? Uri.UnescapeDataString(encoded) : Foreign(response, body, operation);
        return new CallFailure(status == RpcStatus.Fault && fault is null ? RpcStatus.Internal : status, message, fault, body.ToArray()).ToException(operation, codec);
    }

    /// <summary>Writes a failure as problem details (RFC 9457); a fault's detail is the member <c>fault</c>.</summary>
    public static void WriteProblem(IBufferWriter<byte> output, CallFailure failure, int? status = null)
    {
        // It is never part of a page, so quotes stay readable.
        using var writer = new Utf8JsonWriter(output, new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });
        writer.WriteStartObject();
        writer.WriteString("title", failure.Fault ?? failure.Status.ToString());
        writer.WriteNumber("status", status ?? HttpNames.ToHttp(failure.Status));
        writer.WriteString("detail", failure.Message);
        if (failure.Status == RpcStatus.Fault)
        {
            writer.WritePropertyName("fault");
            writer.WriteRawValue(failure.Detail.Span);
        }

        writer.WriteEndObject();
    }

    /// <summary>Reads a failure from problem details without a call.</summary>
    public static CallFailure ReadProblem(in ReadOnlySequence<byte> body)
    {
        var failure = Describe(body, RpcStatus.Internal, null);
        try
        {
            using var problem = JsonDocument.Parse(body);
            var title = problem.RootElement.TryGetProperty("title", out var text) && text.ValueKind == JsonValueKind.String ? text.GetString() : null;
            return problem.RootElement.TryGetProperty("fault", out _) ? failure with { Status = RpcStatus.Fault, Fault = title }
                : Enum.TryParse<RpcStatus>(title, out var status) && status is not (RpcStatus.Ok or RpcStatus.Fault) ? failure with { Status = status }
                : failure;
        }
        catch (Exception unreadable) when (unreadable is JsonException or InvalidOperationException)
        {
            return failure;
        }
    }

    // The response is not from a Postrider endpoint, or the endpoint was not reached: includes the address and the response's own text.
    private static string Foreign(HttpResponseMessage response, in ReadOnlySequence<byte> body, Operation operation)
    {
        var place = response.RequestMessage?.RequestUri is { IsAbsoluteUri: true } uri ? $" at {uri.GetLeftPart(UriPartial.Path)}" : "";
        var told = $"{operation.Path} failed with HTTP status {(int)response.StatusCode}{place}";
        if (body.IsEmpty || body.Length > MaxTextBytes || response.Content.Headers.ContentType?.MediaType is not (null or "text/plain"))
            return told + ".";
        var text = Encoding.UTF8.GetString(body).Trim();
        return text.Length == 0 || text.AsSpan().ContainsAny(s_unprintable) ? told + "." : $"{told}: {text}";
    }

    private static CallFailure Describe(in ReadOnlySequence<byte> body, RpcStatus status, string? fault)
    {
        var message = "The error response cannot be read.";
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
            // The status is all that is known.
        }

        return new(status, message, fault, detail);
    }

    private static string? Header(HttpResponseMessage response, string name)
        => response.Headers.NonValidated.TryGetValues(name, out var values) ? values.ToString() : null;
}
