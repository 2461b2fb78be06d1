using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>Files over HTTP: whole, in ranges, unchanged, without end.</summary>
public sealed class FileTests : IAsyncLifetime
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private DepotHost _host = null!;

    public static TheoryData<string, string, string, int, string> Conditions => new()
    {
        // method, header, value, status, body
        { "GET", "Accept", "text/plain", 200, Depot.Text },
        { "HEAD", "Accept", "*/*", 200, "" },
        { "GET", "If-None-Match", "\"v1\"", 304, "" },
        { "GET", "If-None-Match", "\"v0\", \"v1\"", 304, "" },
        { "GET", "If-None-Match", "*", 304, "" },
        { "GET", "If-None-Match", "\"v2\"", 200, Depot.Text },
        { "GET", "If-None-Match", "nonsense", 200, Depot.Text },
        { "GET", "If-Match", "\"v2\"", 412, "" },
        { "GET", "If-Modified-Since", "Sat, 31 Jan 2026 12:30:00 GMT", 304, "" },
        { "GET", "If-Modified-Since", "Sat, 31 Jan 2026 12:29:59 GMT", 200, Depot.Text },
        { "GET", "If-Modified-Since", "yesterday", 200, Depot.Text },
        { "GET", "If-Unmodified-Since", "Sat, 31 Jan 2026 12:29:59 GMT", 412, "" },
        { "GET", "Range", "bytes=2-4", 206, "234" },
        { "GET", "Range", "bytes=18-", 206, "ij" },
        { "GET", "Range", "bytes=-3", 206, "hij" },
        { "GET", "Range", "bytes=15-1000", 206, "fghij" },
        { "GET", "Range", "bytes=20-", 416, "" },
        { "GET", "Range", "bytes=4-2", 200, Depot.Text },
        { "GET", "Range", "bytes=0-1,4-5", 200, Depot.Text },
        { "GET", "Range", "lines=1-2", 200, Depot.Text },
        { "GET", "Range", "bytes=99999999999999999999-", 200, Depot.Text },
    };

    public async ValueTask InitializeAsync() => _host = await DepotHost.StartAsync();

    public ValueTask DisposeAsync() => _host.DisposeAsync();

    [Theory]
    [MemberData(nameof(Conditions))]
    public async Task Condition_or_range_is_kept(string method, string header, string value, int status, string body)
    {
        using var response = await _host.SendAsync(method, "depot/file?kind=small", null, (header, value));

        Assert.Equal((status, body), ((int)response.StatusCode, await response.Content.ReadAsStringAsync()));
        if (status is 200 or 206 or 304)
            Assert.Equal(("\"v1\"", "public, max-age=60"), (response.Headers.ETag?.Tag, response.Headers.CacheControl?.ToString()));
    }

    [Fact]
    public async Task Whole_file_says_what_it_is()
    {
        using var response = await _host.SendAsync("GET", "depot/file?kind=small");

        var content = response.Content.Headers;
        Assert.Equal(
            ("text/plain", 20L, "attachment", "gr\u00F6sse.txt", Depot.Changed, "bytes"),
            (content.ContentType?.ToString(), content.ContentLength, content.ContentDisposition?.DispositionType, content.ContentDisposition?.FileNameStar, content.LastModified, response.Headers.AcceptRanges.Single()));
    }

    [Fact]
    public async Task Range_says_where_it_is()
    {
        using var response = await _host.SendAsync("GET", "depot/file?kind=small", null, ("Range", "bytes=2-4"));

        Assert.Equal("bytes 2-4/20", response.Content.Headers.ContentRange?.ToString());
    }

    [Fact]
    public async Task Part_is_sent_whole_when_the_file_has_changed_since()
    {
        using var response = await _host.SendAsync("GET", "depot/file?kind=small", null, ("Range", "bytes=2-4"), ("If-Range", "\"v0\""));

        Assert.Equal((200, Depot.Text), ((int)response.StatusCode, await response.Content.ReadAsStringAsync()));
    }

    [Fact]
    public async Task Caller_gets_the_file_with_what_is_known_of_it()
    {
        await using var file = await _host.Client.FileAsync("small");

        using var reader = new StreamReader(file.Content);
        Assert.Equal(Depot.Text, await reader.ReadToEndAsync());
        Assert.Equal(
            ("text/plain", "gr\u00F6sse.txt", false, "\"v1\"", Depot.Changed, "public, max-age=60", 20L, null, false),
            (file.ContentType, file.Name, file.IsInline, file.EntityTag, file.LastModified, file.CacheControl, file.Length, file.Offset, file.IsUnchanged));
    }

    [Fact]
    public async Task Caller_asks_whether_it_changed_and_for_a_part()
    {
        await using var unchanged = await _host.Client.FileAsync("small", new CallContext { Headers = { ["If-None-Match"] = "\"v1\"" } });
        await using var part = await _host.Client.FileAsync("small", new CallContext { Headers = { ["Range"] = "bytes=5-7" } });
        await using var inline = await _host.Client.FileAsync("inline");

        Assert.True(unchanged.IsUnchanged);
        Assert.Equal((5L, 3L, false), (part.Offset, part.Length, part.IsUnchanged));
        Assert.Equal("567", await new StreamReader(part.Content).ReadToEndAsync());
        Assert.Equal((true, "a.png", "image/png"), (inline.IsInline, inline.Name, inline.ContentType));
    }

    [Theory]
    [InlineData("none", RpcStatus.NotFound)]
    [InlineData("/nowhere/at/all", RpcStatus.NotFound)]
    public async Task File_that_is_not_there_is_a_failure(string kind, RpcStatus status)
    {
        var failure = await Assert.ThrowsAsync<RpcException>(async () => await _host.Client.FileAsync(kind));

        Assert.Equal(status, failure.Status);
    }

    [Fact]
    public async Task Range_beyond_the_end_is_refused_with_words()
    {
        var failure = await Assert.ThrowsAsync<RpcException>(async () => await _host.Client.FileAsync("small", new CallContext { Headers = { ["Range"] = "bytes=20-" } }));

        Assert.Equal(RpcStatus.InvalidData, failure.Status);
    }

    [Fact]
    public async Task File_of_the_file_system_is_sent_with_its_time()
    {
        var path = Path.Combine(Path.GetTempPath(), $"postrider-{Guid.NewGuid():N}.bin");
        await File.WriteAllBytesAsync(path, [1, 2, 3, 4]);
        try
        {
            await using var file = await _host.Client.FileAsync(path);
            await using var again = await _host.Client.FileAsync(path, new CallContext { Headers = { ["If-None-Match"] = file.EntityTag! } });

            var bytes = new MemoryStream();
            await file.Content.CopyToAsync(bytes);
            Assert.Equal([1, 2, 3, 4], bytes.ToArray());
            Assert.Equal((Path.GetFileName(path), true), (file.Name, again.IsUnchanged));
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public async Task Caller_that_leaves_a_file_closes_it_at_the_server()
    {
        var file = await _host.Client.FileAsync("endless");
        Assert.Equal(1024, await file.Content.ReadAtLeastAsync(new byte[1024], 1024));

        await file.DisposeAsync();

        await _host.Depot.Closed.Task.WaitAsync(Patience);
        Assert.Equal("open", await _host.Client.OpenAsync());
    }
}
