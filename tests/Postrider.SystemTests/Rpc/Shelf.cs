using System.Globalization;
using System.Threading.Channels;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>Tells what it was called with.</summary>
internal sealed class Shelf : IShelf
{
    /// <summary>What the one-way operation was told.</summary>
    public Channel<string> Notes { get; } = Channel.CreateUnbounded<string>();

    public ValueTask<Book> GetAsync(string shelf, Guid id) => new(new Book(id, $"of {shelf}", 1999));

    public ValueTask<string> FindAsync(
        string shelf, string? title = null, Colour? colour = null, int most = 10, string[]? tags = null, IReadOnlyList<int>? years = null, DateTimeOffset? since = null,
        bool lent = false, CancellationToken ct = default)
        => new(string.Create(
            CultureInfo.InvariantCulture,
            $"{shelf} {title ?? "-"} {colour?.ToString() ?? "-"} {most} [{(tags is null ? "-" : string.Join('|', tags))}] [{(years is null ? "-" : string.Join('|', years))}] {since?.ToUniversalTime().ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture) ?? "-"} {lent} {ct.CanBeCanceled}"));

    public ValueTask<Book> AddAsync(string shelf, Book book, bool dry = false, string tenant = "none") => new(book with { Title = $"{shelf} {book.Title} {dry} {tenant}" });

    public ValueTask<string> ReplaceAsync(string shelf, Guid id, string title, int year) => new($"{shelf} {id} {title} {year}");

    public ValueTask RenameAsync(string shelf, Guid id, string title)
        => title == "" ? throw new RpcException(RpcStatus.InvalidData, "A title has letters.") : default;

    public ValueTask<int> RemoveAsync(string shelf, Guid id, decimal? fine = null, CallContext? context = null)
        => new((int)((fine ?? 0) * 100) + (context?.Headers["reason"]?.Length ?? 0));

    public ValueTask<string> EchoAsync(string first, int second) => new($"{first} {second}");

    public ValueTask<string> FileAsync(string shelf, string path) => new($"{shelf} {path}");

    public async IAsyncEnumerable<int> CountAsync(string shelf, int last, int step = 1)
    {
        for (var i = step; i <= last; i += step)
        {
            await Task.Yield();
            yield return i;
        }
    }

    public async ValueTask<string> SumAsync(string shelf, string label, IAsyncEnumerable<int> numbers) => $"{shelf} {label} {await numbers.SumAsync()}";

    public ValueTask NoteAsync(string shelf, string kind, string text)
    {
        Notes.Writer.TryWrite($"{shelf} {kind} {text}");
        return default;
    }

    public ValueTask<string> RequiredAsync(string shelf, int number, string key) => new($"{number} {key}");

    public ValueTask<string> PlainAsync(string shelf) => new(shelf);
}
