using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Postrider.Generator;

namespace Postrider.GeneratorTests;

public sealed class IncrementalTests
{
    private const string Source = """
        public static class Program { public static void Main() { } }
        public sealed partial record Ask : IQuery<int>;
        internal sealed class AskHandler : IRequestHandler<Ask, int> { public ValueTask<int> Handle(Ask q, CancellationToken ct) => new(1); }
        [Middleware] internal sealed class M<Q, R> : IMiddleware<Q, R> where Q : IRequest<R> { public ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) => next.Invoke(q, ct); }
        public sealed partial record Began([property: Postrider.Sagas.SagaId] string Id) : INotification;
        [Postrider.Sagas.Saga] public sealed class S { [Postrider.Sagas.StartsSaga] public void On(Began m) { } }
        public static class Caller { public static ValueTask<int> Call(IDispatcher d) => d.SendAsync(new Ask()); }
        """;

    [Fact]
    public void Unrelated_edit_runs_no_step_again()
    {
        var compilation = UserProject.Source(Source);
        var other = CSharpSyntaxTree.ParseText("public class Other { int x = 1; }", UserProject.Options, "Other.cs");
        var driver = Driver().RunGenerators(compilation.AddSyntaxTrees(other), TestContext.Current.CancellationToken);

        var edited = CSharpSyntaxTree.ParseText("public class Other { int x = 12; void M() { } }", UserProject.Options, "Other.cs");
        driver = driver.RunGenerators(compilation.AddSyntaxTrees(edited), TestContext.Current.CancellationToken);

        var result = Assert.Single(driver.GetRunResult().Results);
        Assert.All(
            result.TrackedOutputSteps.SelectMany(s => s.Value).SelectMany(s => s.Outputs),
            output => Assert.True(output.Reason is IncrementalStepRunReason.Cached or IncrementalStepRunReason.Unchanged, output.Reason.ToString()));
        Assert.All(
            new[] { "Types", "Methods", "Sagas", "Middleware", "Project", "Module", "Calls", "Targets" }
                .Where(result.TrackedSteps.ContainsKey)
                .SelectMany(name => result.TrackedSteps[name]).SelectMany(s => s.Outputs),
            output => Assert.True(output.Reason is IncrementalStepRunReason.Cached or IncrementalStepRunReason.Unchanged, output.Reason.ToString()));
    }

    [Fact]
    public void Edit_of_a_handlers_body_writes_nothing_again()
    {
        var compilation = UserProject.Source(Source.Replace("Caller", "Nobody", StringComparison.Ordinal).Replace("d.SendAsync(new Ask())", "default", StringComparison.Ordinal));
        var driver = Driver().RunGenerators(compilation, TestContext.Current.CancellationToken);
        var tree = compilation.SyntaxTrees.Single(t => t.FilePath == "User.cs");
        var edited = CSharpSyntaxTree.ParseText(tree.ToString().Replace("new(1)", "new(2)", StringComparison.Ordinal), UserProject.Options, "User.cs");

        driver = driver.RunGenerators(compilation.ReplaceSyntaxTree(tree, edited), TestContext.Current.CancellationToken);

        var result = Assert.Single(driver.GetRunResult().Results);
        Assert.All(
            result.TrackedOutputSteps.SelectMany(s => s.Value).SelectMany(s => s.Outputs),
            output => Assert.True(output.Reason is IncrementalStepRunReason.Cached or IncrementalStepRunReason.Unchanged, output.Reason.ToString()));
    }

    private static CSharpGeneratorDriver Driver() => CSharpGeneratorDriver.Create(
        [new PostriderGenerator().AsSourceGenerator()], parseOptions: UserProject.Options,
        driverOptions: new GeneratorDriverOptions(IncrementalGeneratorOutputKind.None, trackIncrementalGeneratorSteps: true));
}
