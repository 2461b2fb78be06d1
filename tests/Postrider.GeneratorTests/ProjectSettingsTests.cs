using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Postrider.Generator;

namespace Postrider.GeneratorTests;

/// <summary>The settings of a user's project: what is generated compiles with each, without a warning and without a false diagnostic.</summary>
public sealed class ProjectSettingsTests
{
    private const string Source = """
        [assembly: UseMiddleware(typeof(Postrider.Middleware.RetryMiddleware<,>), Order = 1)]
        public static class Program { public static void Main() { } }
        public sealed partial record Ask(int N) : ICommand<string>;
        public sealed partial record Forget : ICommand;
        public sealed partial record Told(string What) : INotification;
        public sealed partial record Many(int To) : IStreamRequest<string>;
        public sealed class Ledger { }
        public sealed class AskHandler(Ledger ledger) : IRequestHandler<Ask, string> { public ValueTask<string> Handle(Ask q, CancellationToken ct) => new(q.N.ToString() + (ledger == null)); }
        public sealed class ToldHandler : INotificationHandler<Told> { public ValueTask Handle(Told n, CancellationToken ct) => default; }
        internal static class Methods
        {
            [Handler] public static void On(Forget c, MessageContext context, string name = null!) { }
            [Handler] public static async IAsyncEnumerable<string> On(Many m) { await Task.Yield(); yield return "a"; }
        }
        [Middleware] internal sealed class Timing<Q, R> : IMiddleware<Q, R> where Q : ICommand<R> { public ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) => next.Invoke(q, ct); }
        public static class Caller
        {
            public static async Task Call(IDispatcher d) { await d.SendAsync(new Ask(1)); await d.SendAsync(new Forget()); await d.PublishAsync(new Told("a")); await foreach (var s in d.StreamAsync(new Many(2))) { } }
        }
        """;

    [Theory]
    [InlineData(LanguageVersion.CSharp12, NullableContextOptions.Enable)]
    [InlineData(LanguageVersion.CSharp12, NullableContextOptions.Disable)]
    [InlineData(LanguageVersion.CSharp13, NullableContextOptions.Annotations)]
    [InlineData(LanguageVersion.Preview, NullableContextOptions.Disable)]
    [InlineData(LanguageVersion.Preview, NullableContextOptions.Warnings)]
    public async Task Generated_code_suits_the_language_version_and_what_the_project_knows_of_null(LanguageVersion version, NullableContextOptions nullable)
    {
        var options = UserProject.Options.WithLanguageVersion(version);
        var source = UserProject.Source(nullable == NullableContextOptions.Disable ? Source.Replace("null!", "null", StringComparison.Ordinal) : Source);
        source = source.RemoveAllSyntaxTrees()
            .AddSyntaxTrees(source.SyntaxTrees.Select(t => CSharpSyntaxTree.ParseText(t.GetText(TestContext.Current.CancellationToken), options, t.FilePath)))
            .WithOptions(source.Options.WithNullableContextOptions(nullable));

        CSharpGeneratorDriver.Create([new PostriderGenerator().AsSourceGenerator()], parseOptions: options)
            .RunGeneratorsAndUpdateCompilation(source, out var output, out var problems, TestContext.Current.CancellationToken);

        Assert.Empty(problems);
        Assert.Empty(output.GetDiagnostics(TestContext.Current.CancellationToken).Where(d => d.Severity >= DiagnosticSeverity.Warning));
        Assert.Empty((await UserProject.Diagnose((CSharpCompilation)output)).Where(d => d.Severity >= DiagnosticSeverity.Warning));
    }
}
