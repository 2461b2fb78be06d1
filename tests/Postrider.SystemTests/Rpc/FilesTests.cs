using System.Net;
using System.Net.Http.Headers;
using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>Messages that are bytes, whatever carries them.</summary>
public abstract class FilesTests : IAsyncLifetime
{
    private protected static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private protected static RpcCodec Codec { get; } = new RpcBytesCodec(new RpcJsonCodec(DeskJson.Default));

    private protected IFiles Client { get; private set; } = null!;

    private RpcChannel Channel { get; set; } = null!;

    public async ValueTask InitializeAsync()
    {
        Channel = await StartAsync(FilesContract.Serve(new Files()));
        Client = new FilesClient(Channel);
    }

    public async ValueTask DisposeAsync()
    {
        await Channel.DisposeAsync();
        await StopAsync();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public async Task Stream_comes_back_as_it_is()
    {
        await using var stream = await Client.ReadAsync("größe.txt");
        using var reader = new StreamReader(stream);

        Assert.Equal("content of größe.txt", await reader.ReadToEndAsync());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(3_000_000)]
    public async Task Stream_goes_there_as_it_is(int bytes)
        => Assert.Equal(bytes, await Client.MeasureAsync(new MemoryStream(new byte[bytes])).AsTask().WaitAsync(Patience));

    [Fact]
    public async Task Memory_goes_there_and_back()
        => Assert.Equal(new byte[] { 3, 2, 0, 255 }, (await Client.ReverseAsync(new byte[] { 255, 0, 2, 3 })).ToArray());

    [Fact]
    public async Task Bytes_among_parameters_are_the_other_codecs()
        => Assert.Equal(new byte[] { 9, 8 }, await Client.TakeAsync([9, 8, 7], 2));

    [Fact]
    public async Task Fault_of_an_operation_of_bytes_has_its_detail()
    {
        var fault = await Assert.ThrowsAsync<RpcFaultException<SoldOut>>(async () => await Client.FailAsync([1, 2, 3]));

        Assert.Equal((new SoldOut(3, "space"), "Full."), (fault.Detail, fault.Message));
    }

    [Fact]
    public async Task Items_of_a_stream_are_bytes()
    {
        var content = new byte[12_345];
        new Random(7).NextBytes(content);

        var pieces = await Client.CutAsync(new MemoryStream(content)).ToListAsync().AsTask().WaitAsync(Patience);

        Assert.Equal(13, pieces.Count);
        Assert.Equal(content, pieces.SelectMany(piece => piece.ToArray()));
    }

    private protected abstract ValueTask<RpcChannel> StartAsync(RpcService service);

    private protected virtual ValueTask StopAsync() => default;
}

public sealed class FilesInProcessTests : FilesTests
{
    private protected override ValueTask<RpcChannel> StartAsync(RpcService service) => new(new InProcessChannel(service));
}

public sealed class FilesOverTcpTests : FilesTests
{
    private SocketServer _server = null!;

    [Fact]
    public async Task Null_is_refused()
        => Assert.Equal(RpcStatus.InvalidData, (await Assert.ThrowsAsync<RpcException>(async () => await Client.FailAsync([]))).Status);

    [Fact]
    public async Task Other_end_without_the_codec_is_refused()
    {
        await using var channel = new SocketChannel(_server.EndPoint, new RpcJsonCodec(DeskJson.Default), new SocketChannelOptions { Timeout = Patience });

        await Assert.ThrowsAsync<RpcException>(async () => await new FilesClient(channel).TakeAsync([1], 1));
    }

    private protected override ValueTask<RpcChannel> StartAsync(RpcService service)
    {
        _server = SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), Codec, service);
        return new(new SocketChannel(_server.EndPoint, Codec));
    }

    private protected override ValueTask StopAsync() => _server.DisposeAsync();
}

public sealed class FilesOverHttpTests : FilesTests
{
    private WebApplication _app = null!;
    private Uri _address = null!;

    public static TheoryData<string, string?, string?, string, int, string> Requests => new()
    {
        // operation, content type, accept, body, status, the answer's type
        { "Read", "application/json", null, "\"a\"", 200, "application/octet-stream" },
        { "Read", "application/json", "application/octet-stream", "\"a\"", 200, "application/octet-stream" },
        { "Read", "application/json", "*/*", "\"a\"", 200, "application/octet-stream" },
        { "Read", "application/json", "image/png", "\"a\"", 406, "application/problem+json" },
        { "Read", "application/octet-stream", null, "a", 415, "application/problem+json" },
        { "Read", "application/json", null, "a", 400, "application/problem+json" },
        { "Measure", "application/octet-stream", null, "abc", 200, "application/json" },
        { "Measure", "application/octet-stream; charset=binary", "application/json", "", 200, "application/json" },
        { "Measure", "application/json", null, "\"abc\"", 415, "application/problem+json" },
        { "Fail", "application/octet-stream", null, "abc", 422, "application/problem+json" },
    };

    [Theory]
    [MemberData(nameof(Requests))]
    public async Task Each_way_has_its_own_type(string operation, string? type, string? accept, string body, int status, string answered)
    {
        using var http = new HttpClient();
        using var request = new HttpRequestMessage(HttpMethod.Post, new Uri($"{_address}/files/{operation}"));
        request.Content = new ByteArrayContent(Encoding.UTF8.GetBytes(body));
        request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(type!);
        if (accept is not null)
            request.Headers.Accept.ParseAdd(accept);

        using var response = await http.SendAsync(request);

        Assert.Equal((status, answered), ((int)response.StatusCode, response.Content.Headers.ContentType?.MediaType ?? ""));
    }

    private protected override async ValueTask<RpcChannel> StartAsync(RpcService service)
    {
        (_app, _address) = await DeskHost.StartWithAsync(service, HttpProtocols.Http1, [Codec]);
        return new HttpChannel(_address, Codec);
    }

    private protected override async ValueTask StopAsync() => await _app.DisposeAsync();
}
