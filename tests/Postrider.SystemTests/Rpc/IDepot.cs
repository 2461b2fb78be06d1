using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.RateLimiting;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>A contract for what ASP.NET Core does beside the calls, and for files.</summary>
[Service("depot")]
public interface IDepot
{
    [HttpGet("depot/file")]
    ValueTask<RpcFile> FileAsync(string kind, CallContext? context = null, CancellationToken ct = default);

    [OneWay]
    ValueTask NoteAsync(string text);

    [HttpGet("depot/open")]
    ValueTask<string> OpenAsync();

    [Authorize, HttpGet("depot/known")]
    ValueTask<string> KnownAsync(CallContext? context = null);

    [Authorize("keeper"), HttpPost("depot/kept")]
    ValueTask<string> KeptAsync();

    [EnableRateLimiting("few"), HttpGet("depot/rare")]
    ValueTask<string> RareAsync();

    [HttpGet("depot/long")]
    ValueTask<string> LongAsync(int letters);

    ValueTask<int> MeasureAsync(string text);

    ValueTask<int> FailAsync();

    IAsyncEnumerable<int> CountAsync(int last);
}
