using System.Text.Json.Serialization;
using Postrider.MessagePack;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>A contract whose operations have paths of their own, one for each thing that can be said of them.</summary>
[Service("shelf")]
[Route("shelves/{shelf}")]
public interface IShelf
{
    [HttpGet("books/{id}")]
    ValueTask<Book> GetAsync(string shelf, Guid id);

    [HttpGet("books")]
    ValueTask<string> FindAsync(
        string shelf, string? title = null, Colour? colour = null, int most = 10, [FromQuery("tag")] string[]? tags = null, IReadOnlyList<int>? years = null,
        DateTimeOffset? since = null, bool lent = false, CancellationToken ct = default);

    [HttpPost("books")]
    ValueTask<Book> AddAsync(string shelf, Book book, [FromQuery] bool dry = false, [FromHeader("X-Tenant")] string tenant = "none");

    [HttpPut("books/{id}")]
    ValueTask<string> ReplaceAsync(string shelf, Guid id, string title, int year);

    [HttpPatch("books/{id}/title")]
    ValueTask RenameAsync(string shelf, Guid id, string title);

    [HttpDelete("books/{id}")]
    ValueTask<int> RemoveAsync(string shelf, Guid id, decimal? fine = null, CallContext? context = null);

    [HttpGet("/echo/{first}-{second}")]
    ValueTask<string> EchoAsync(string first, int second);

    [HttpGet("files/{*path}")]
    ValueTask<string> FileAsync(string shelf, string path);

    [HttpGet("count/{last}")]
    IAsyncEnumerable<int> CountAsync(string shelf, int last, int step = 1);

    [HttpPost("sum/{label}")]
    ValueTask<string> SumAsync(string shelf, string label, IAsyncEnumerable<int> numbers);

    [OneWay, HttpPost("notes/{kind}")]
    ValueTask NoteAsync(string shelf, string kind, [FromBody] string text);

    [HttpGet("required")]
    ValueTask<string> RequiredAsync(string shelf, int number, [FromHeader] string key);

    ValueTask<string> PlainAsync(string shelf);
}

public enum Colour
{
    Red,
    Green,
}

[MessagePackObject]
public sealed record Book([property: Key(0)] Guid Id, [property: Key(1)] string Title, [property: Key(2)] int Year);

[MessagePackSerializable(typeof(Book))]
[MessagePackSerializable(typeof(Colour?))]
[MessagePackSerializable(typeof(string[]))]
[MessagePackSerializable(typeof(IReadOnlyList<int>))]
[MessagePackSerializable(typeof(DateTimeOffset?))]
[MessagePackSerializable(typeof(decimal?))]
internal sealed partial class ShelfMessages : MessagePackContext;

[JsonSerializable(typeof(Book))]
internal sealed partial class ShelfJson : JsonSerializerContext;
