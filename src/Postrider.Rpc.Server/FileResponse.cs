using Microsoft.AspNetCore.Http;
using Microsoft.Net.Http.Headers;

namespace Postrider.Rpc.Server;

/// <summary>Responds with a file: all of it, a range, or the status that it has not changed.</summary>
/// <remarks>ASP.NET Core evaluates the request's conditions and ranges (RFC 9110).</remarks>
internal static class FileResponse
{
    public static async ValueTask WriteAsync(HttpContext http, RpcFile? file, CallContext? context)
    {
        if (file is null)
            throw new RpcException(RpcStatus.NotFound, "The file does not exist.");
        await using (file.ConfigureAwait(false))
        {
            HttpCall.AddHeaders(http, context);
            if (file.CacheControl is { } kept)
                http.Response.Headers.CacheControl = kept;
            if (file.IsInline)
                http.Response.Headers.ContentDisposition = Inline(file.Name);
            await TypedResults.Stream(
                file.Content, file.ContentType, file.IsInline ? null : file.Name, file.LastModified,
                file.EntityTag is { } tag ? EntityTagHeaderValue.Parse(tag) : null, file.Content.CanSeek && IsOfBytes(http.Request.Headers.Range)).ExecuteAsync(http).ConfigureAwait(false);
        }
    }

    // The framework treats ranges of every unit as ranges of bytes; an unknown unit must be ignored.
    private static bool IsOfBytes(string? range) => range is null || range.StartsWith("bytes=", StringComparison.OrdinalIgnoreCase);

    private static string Inline(string? name)
    {
        var inline = new ContentDispositionHeaderValue("inline");
        if (name is not null)
            inline.SetHttpFileName(name);
        return inline.ToString();
    }
}
