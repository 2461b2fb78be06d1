using System.Net.Http.Headers;
using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Postrider.Benchmarks.MessagePack;

namespace Postrider.Benchmarks.Rpc;

/// <summary>Any serializer over HTTP with as little around it as can be: a mapped endpoint, a message invoker, bodies in pooled
/// buffers.</summary>
internal sealed class HttpPeer(HttpMessageInvoker http, Uri address, ICodecPeer codec, string mediaType = "application/octet-stream")
{
    private readonly MediaTypeHeaderValue _mediaType = new(mediaType);
    private readonly MediaTypeWithQualityHeaderValue _accept = new(mediaType);

    /// <summary>Serves a serializer below a path.</summary>
    public static void Map(WebApplication app, string path, ICodecPeer codec)
    {
        var (small, large) = (codec.ForSmall("[]"), codec.ForLarge("[]"));
        app.MapPost(path + "/small", context => ServeAsync(context, small));
        app.MapPost(path + "/large", context => ServeAsync(context, large));
    }

    /// <summary>The client of what was mapped below that path.</summary>
    public RpcSubject Subject(string name, string path) => new(
        name,
        json => Call(codec.ForSmall(json), new Uri(address, path + "/small")),
        json => Call(codec.ForLarge(json), new Uri(address, path + "/large")));

    private RpcCall Call(CodecWork work, Uri to)
    {
        var sent = work.Count(work.Items);
        return new(
            [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))] async ValueTask () => RpcSubject.Check(work.Count(await CallAsync(work, to)), sent),
            async () => work.Plain(await CallAsync(work, to)));
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<object> CallAsync(CodecWork work, Uri to)
    {
        using var body = new PooledBuffer();
        work.Write(body, work.Items);
        using var request = new HttpRequestMessage(HttpMethod.Post, to) { Content = new ReadOnlyMemoryContent(body.Written) };
        request.Content.Headers.ContentType = _mediaType;
        request.Headers.Accept.Add(_accept);
        using var response = await http.SendAsync(request, default);
        response.EnsureSuccessStatusCode();
        using var answer = new PooledBuffer();
        await using var stream = await response.Content.ReadAsStreamAsync();
        await ReadAsync(stream, answer, (int?)response.Content.Headers.ContentLength);
        return work.Read(answer.Written);
    }

    private static async Task ServeAsync(HttpContext context, CodecWork work)
    {
        using var body = new PooledBuffer();
        await ReadAsync(context.Request.Body, body, (int?)context.Request.ContentLength);
        using var answer = new PooledBuffer();
        work.Write(answer, work.Read(body.Written));
        context.Response.ContentType = "application/octet-stream";
        context.Response.ContentLength = answer.Written.Length;
        await context.Response.BodyWriter.WriteAsync(answer.Written);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private static async ValueTask ReadAsync(Stream stream, PooledBuffer buffer, int? length)
    {
        var left = length ?? int.MaxValue;
        while (left > 0)
        {
            var read = await stream.ReadAsync(length is null ? buffer.GetMemory(4096) : buffer.GetMemory(left)[..left]);
            if (read == 0)
                return;
            buffer.Advance(read);
            left -= read;
        }
    }
}
