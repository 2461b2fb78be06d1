using System.Buffers;
using Microsoft.AspNetCore.Http;
using Postrider.Rpc.Http;

namespace Postrider.Rpc.Server;

/// <summary>Writes failures as problem details (RFC 9457); a fault's detail is their <c>fault</c>, or the body itself in formats other than JSON.</summary>
internal static class ProblemDetailsWriter
{
    public static async ValueTask WriteAsync(HttpContext http, CallFailure failure, RpcCodec codec, int? status = null)
    {
        var response = http.Response;
        response.StatusCode = status ?? HttpNames.ToHttp(failure.Status);
        response.Headers[HttpNames.Status] = failure.Status.ToString();
        if (failure.Status == RpcStatus.Busy)
            response.Headers.RetryAfter = "1";
        if (failure.Fault is not null)
            response.Headers[HttpNames.Fault] = failure.Fault;

        // A fault's detail is an object, whatever the types of the operation's messages.
        codec = codec.CodecFor(typeof(object));
        var body = failure.Detail;
        if (failure.Status == RpcStatus.Fault && codec.ContentType != JsonLines.Json)
        {
            response.Headers[HttpNames.Message] = Uri.EscapeDataString(failure.Message);
            response.ContentType = codec.ContentType;
        }
        else
        {
            response.ContentType = HttpNames.Problem;
            var problem = new ArrayBufferWriter<byte>();
            ProblemDetailsMapping.WriteProblem(problem, failure, response.StatusCode);
            body = problem.WrittenMemory;
        }

        response.ContentLength = body.Length;
        await response.BodyWriter.WriteAsync(body, CancellationToken.None).ConfigureAwait(false);
    }
}
