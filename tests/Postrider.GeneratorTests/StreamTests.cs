namespace Postrider.GeneratorTests;

/// <summary>Streams that need a scope or a context: both last as long as an enumeration, however it ends.</summary>
public sealed class StreamTests
{
    private const string Main = """
        using System.Runtime.CompilerServices;
        public static class Program { public static void Main() { } }
        public static class Log { public static readonly List<string> Lines = new(); public static void Add(object line) => Lines.Add(line.ToString()!); public static string All => string.Join(" ", Lines); }
        public sealed class Visit : IAsyncDisposable { static int s_made; public readonly int Id = ++s_made; public async ValueTask DisposeAsync() { await Task.Yield(); Log.Add("end" + Id); } }
        public sealed partial record Count(int To) : IStreamRequest<int>;
        internal static class Handlers
        {
            [Handler] public static async IAsyncEnumerable<int> On(Count q, Visit visit, MessageContext context, [EnumeratorCancellation] CancellationToken ct)
            {
                Log.Add("begin" + visit.Id);
                try
                {
                    for (var i = 1; i <= q.To; i++)
                    {
                        await Task.Yield();
                        ct.ThrowIfCancellationRequested();
                        if (context.Cancellation.IsCancellationRequested) Log.Add("late");
                        yield return i;
                    }
                    if (q.To < 0) throw new InvalidOperationException("negative");
                }
                finally { Log.Add("finally"); }
            }
        }

        """;

    [Fact]
    public async Task Each_enumeration_has_a_scope_of_its_own_that_ends_with_it()
    {
        var log = await Run("""
            var twice = d.StreamAsync(new Count(2));
            await foreach (var i in twice) Log.Add(i);
            await foreach (var i in twice) { Log.Add(i); break; }
            try { await foreach (var i in d.StreamAsync(new Count(-1))) Log.Add(i); } catch (InvalidOperationException e) { Log.Add(e.Message); }
            await using (var never = d.StreamAsync(new Count(1)).GetAsyncEnumerator()) { }
            var ended = d.StreamAsync(new Count(1)).GetAsyncEnumerator();
            await ended.DisposeAsync();
            await ended.DisposeAsync();
            Log.Add(await ended.MoveNextAsync());
            """);

        Assert.Equal("begin1 1 2 finally end1 begin2 1 finally end2 begin3 finally end3 negative False", log);
    }

    [Fact]
    public async Task Cancellation_of_the_call_or_of_the_enumeration_reaches_handler_and_context()
    {
        var log = await Run("""
            foreach (var way in new[] { 1, 2, 3, 4 })
            {
                using var call = new CancellationTokenSource();
                using var other = new CancellationTokenSource();
                var items = way == 1 ? d.StreamAsync(new Count(5), call.Token)
                    : way == 2 ? d.StreamAsync(new Count(5)).WithCancellation(call.Token).Plain()
                    : way == 3 ? d.StreamAsync(new Count(5), call.Token).WithCancellation(other.Token).Plain()
                    : d.StreamAsync(new Count(5), other.Token).WithCancellation(call.Token).Plain();
                try { await foreach (var i in items) { Log.Add(i); if (i == 2) call.Cancel(); } }
                catch (OperationCanceledException) { Log.Add("cancelled"); }
            }
            """);

        Assert.Equal(string.Join(" ", Enumerable.Range(1, 4).Select(n => $"begin{n} 1 2 finally end{n} cancelled")), log);
    }

    private static Task<string> Run(string body) => UserProject.Compile(Main + $$"""
        public static class Enumerations
        {
            public static async IAsyncEnumerable<T> Plain<T>(this ConfiguredCancelableAsyncEnumerable<T> items) { await foreach (var item in items) yield return item; }
        }
        public static class App
        {
            public static async Task<string> Run()
            {
                await using var provider = new ServiceCollection().AddScoped<Visit>().AddPostrider().BuildServiceProvider(true);
                var d = provider.GetRequiredService<IDispatcher>();
                {{body}}
                return Log.All;
            }
        }
        """).Run();
}
