using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Text;
using Postrider.Generator;
using Postrider.Generator.Diagnostics;

namespace Postrider.GeneratorTests;

/// <summary>Source as it is while somebody types it: neither the generator nor an analyzer may fall over it.</summary>
public sealed class BrokenSourceTests
{
    // No lambda: the compiler itself overflows its stack where an assembly's attribute that is not closed swallows one.
    private const string Source = """
        [assembly: UseHandler(typeof(BoxHandler<int>))]
        [assembly: UseMiddleware(typeof(Postrider.Middleware.RetryMiddleware<,>), Order = 3)]
        [assembly: Publish(PublishStrategy.Parallel)]
        var provider = new ServiceCollection().AddPostrider(Setup.Configure).BuildServiceProvider();
        var d = provider.GetRequiredService<IDispatcher>();
        await d.SendAsync(new Ask(1), ct: default);
        await d.PublishAsync(new Told { What = "a" });
        await foreach (var i in d.StreamAsync(new Many())) Console.WriteLine(i);
        await d.PostAsync(new Do());
        public static class Setup { public static void Configure(Postrider.Dispatch.DispatchOptions o) => o.Replace<Ask, int>(One); private static ValueTask<int> One(Ask a, CancellationToken ct) => new(1); }
        public sealed partial record Ask(int N) : IQuery<int>;
        public sealed record Box<T>(T V) : IQuery<T>;
        public sealed partial record Do : ICommand;
        [Publish(PublishStrategy.Background)] public sealed partial record Told : INotification { public required string What { get; init; } }
        public sealed partial record Many : IStreamRequest<(int A, string? B)>;
        public sealed class BoxHandler<T> : IRequestHandler<Box<T>, T> { public ValueTask<T> Handle(Box<T> q, CancellationToken ct) => new(q.V); }
        [Handler(Lifetime = HandlerLifetime.Scoped, Order = 2)]
        internal sealed class AskHandler([FromKeyedServices("key")] IDispatcher d, int n = 3) : IRequestHandler<Ask, int>
        { public async ValueTask<int> Handle(Ask q, CancellationToken ct) => await d.SendAsync(new Ask(q.N - n), ct); }
        internal static partial class Handlers
        {
            [Handler] public static async Task On(Do c, MessageContext context, params IEnumerable<string> all) => await context.Follow().PublishAsync(new Told { What = "b" });
            [Handler(Order = -1)] public static void On(Told n, double ratio = 0.5) { }
            [Handler] public static async IAsyncEnumerable<(int A, string? B)> On(Many m) { await Task.Yield(); yield return (1, null); }
        }
        [Middleware(Order = 10)]
        internal sealed class Timing<Q, R> : IMiddleware<Q, R>, IFinallyHook<Q> where Q : IQuery<R>, new() where R : notnull
        {
            public ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) => next.Invoke(q, ct);
            public void Finally(Q q, Exception? e) { }
        }
        """;

    // All of them take minutes, and were seen to pass; a prime number meets every kind of token.
    private const int TokensPerStep = 37;

    public static TheoryData<string> Ways => ["cut", "without a token", "with a token twice", "with a name misspelt"];

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Half_typed_source_breaks_neither_the_generator_nor_an_analyzer(string way)
    {
        var whole = UserProject.Source(Source);
        var tree = whole.SyntaxTrees.Last();
        var text = await tree.GetTextAsync(TestContext.Current.CancellationToken);
        GeneratorDriver driver = CSharpGeneratorDriver.Create([new PostriderGenerator().AsSourceGenerator()], parseOptions: UserProject.Options);

        var tokens = (await tree.GetRootAsync(TestContext.Current.CancellationToken)).DescendantTokens().Where(t => t.Span.Length > 0).ToList();
        for (var i = 0; i < tokens.Count; i += TokensPerStep)
        {
            var token = tokens[i];
            var typed = Change(text, token, way);
            var compilation = whole.ReplaceSyntaxTree(tree, tree.WithChangedText(typed));
            driver = driver.RunGeneratorsAndUpdateCompilation(compilation, out var output, out var problems, TestContext.Current.CancellationToken);
            var found = await Analyze(output);

            Assert.True(problems.IsEmpty && found.IsEmpty, $"{way}, at '{token}' ({token.GetLocation().GetLineSpan()}): {string.Join("; ", problems.Concat(found))}");
        }
    }

    private static SourceText Change(SourceText text, SyntaxToken token, string way) => way switch
    {
        "cut" => text.GetSubText(new TextSpan(0, token.SpanStart)),
        "without a token" => text.Replace(token.Span, ""),
        "with a token twice" => text.Replace(token.Span, token.Text + " " + token.Text),
        _ => text.Replace(token.Span, token.Text[..^1]),
    };

    // What the driver says when an analyzer throws.
    private static async Task<ImmutableArray<Diagnostic>> Analyze(Compilation compilation)
        => [.. (await compilation.WithAnalyzers([new PostriderAnalyzer(), new MigrationAnalyzer()])
            .GetAnalyzerDiagnosticsAsync(TestContext.Current.CancellationToken)).Where(d => d.Id == "AD0001")];
}
