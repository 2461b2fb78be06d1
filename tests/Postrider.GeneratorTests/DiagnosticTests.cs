using System.Globalization;
using Microsoft.CodeAnalysis;

namespace Postrider.GeneratorTests;

public sealed class DiagnosticTests
{
    private const string Main = "public static class Program { public static void Main() { } }\n";
    private const string Good = """
        public sealed partial record Ask : IQuery<int>;
        internal sealed class AskHandler : IRequestHandler<Ask, int> { public ValueTask<int> Handle(Ask q, CancellationToken ct) => new(1); }

        """;

    private const string Loops = """
        public sealed partial record Ping : IQuery<int>;
        public sealed partial record Pong : IQuery<int>;
        internal sealed class PingHandler(IDispatcher d) : IRequestHandler<Ping, int> { public ValueTask<int> Handle(Ping q, CancellationToken ct) => d.SendAsync(new Pong(), ct); }

        """;

    public static TheoryData<string, string> Bad => new()
    {
        { "PR0001", "public sealed partial record Lonely : IQuery<int>;" },
        { "PR0001", "public sealed partial record Lonely : ICommand;" },
        { "PR0001", "public sealed partial record Lonely : ICommand; public static class Setup { public static void Add(Postrider.Transports.TransportBuilder t) => t.Command<Lonely>(new Postrider.Transports.TransportBinding(\"lonely\")); }" },
        { "PR0001", "public sealed partial record Lonely : IStreamRequest<int>;" },
        { "PR0003", "internal sealed class Other : IRequestHandler<Ask, int> { public ValueTask<int> Handle(Ask q, CancellationToken ct) => new(2); }" },
        { "PR0003", "internal static class Other { [Handler] public static int On(Ask q) => 2; }" },
        { "PR0004", "public sealed partial record Text : IQuery<string>; internal static class H { [Handler] public static int On(Text q) => 2; }" },
        { "PR0005", "[Middleware] internal sealed class M : IMiddleware<string, int> { public ValueTask<int> Handle(string q, Next<string, int> next, CancellationToken ct) => next.Invoke(q, ct); }" },
        { "PR0005", "internal sealed class M<Q, R> : IMiddleware<Q, R> where Q : IRequest<R> { public ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) => next.Invoke(q, ct); }" },
        { "PR0006", "public sealed class Db; public static class Setup { public static void Add(IServiceCollection s) => s.AddScoped<Db>(); } public sealed partial record Save : ICommand; [Handler(Lifetime = HandlerLifetime.Singleton)] internal sealed class SaveHandler(Db db) : ICommandHandler<Save> { public Db Kept => db; public ValueTask Handle(Save c, CancellationToken ct) => default; }" },
        { "PR0007", "public sealed partial record Loop : IQuery<int>; internal sealed class LoopHandler(IDispatcher d) : IRequestHandler<Loop, int> { public ValueTask<int> Handle(Loop q, CancellationToken ct) => d.SendAsync(new Loop(), ct); }" },
        { "PR0008", "internal static class H { [Handler] public static int On() => 2; }" },
        { "PR0008", "public static class Outer { public sealed partial record Hidden : IQuery<int>; private sealed class H : IRequestHandler<Hidden, int> { public ValueTask<int> Handle(Hidden q, CancellationToken ct) => new(1); } }" },
        { "PR0008", "public static class L { public static void M() { [Handler] static void On(string text) { } On(\"\"); } }" },
        { "PR0008", "public static class L { public static Action<string> M() => [Handler] (text) => { }; }" },
        { "PR0008", "public static class L { public static int X { [Handler] set { } } }" },
        { "PR0008", "[Obsolete(\"gone\", true)] internal sealed class H : ICommandHandler<string> { public ValueTask Handle(string c, CancellationToken ct) => default; }" },
        { "PR0008", "[Obsolete(\"gone\", true)] public sealed class Old; internal static class H { [Obsolete] [Handler] public static void On(Old old) { } }" },
        { "PR0008", "internal static class H { [Handler] public static int On(string notAMessage) => 2; }" },
        { "PR0008", "public sealed record Kind; internal static class H { [Handler] public static int On(Kind kind, int notAService) => 2; }" },
        { "PR0009", "public sealed record Whole : INotification;" },
        { "PR0001", "public sealed record ById<T>(int Id) : IQuery<T>; public static class Caller { public static ValueTask<int> Call(IDispatcher d) => d.SendAsync(new ById<int>(1)); }" },
        { "PR0006", "public sealed class Db; public static class Setup { public static void Add(IServiceCollection s) => s.AddScoped<Db>(); } [Middleware(Lifetime = HandlerLifetime.Singleton)] internal sealed class M<Q, R>(Db db) : IMiddleware<Q, R> where Q : IQuery<R> { public ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) => db is null ? default : next.Invoke(q, ct); }" },
        { "PR0007", Loops + "internal sealed class PongHandler(IDispatcher d) : IRequestHandler<Pong, int> { public ValueTask<int> Handle(Pong q, CancellationToken ct) => d.SendAsync(new Ping(), ct); }" },
        { "PR0011", "[Publish((PublishStrategy)9)] public sealed partial record Odd : INotification;" },
        { "PR0011", "public sealed partial record Odd : IQuery<int>; [Handler(Lifetime = (HandlerLifetime)7)] internal sealed class H : IRequestHandler<Odd, int> { public ValueTask<int> Handle(Odd q, CancellationToken ct) => new(1); }" },
        { "PR0010", "public sealed partial record Two : IQuery<int>, IRequest<string>; internal static class H { [Handler] public static int On(Two q) => 2; }" },
        { "PR0012", "public sealed partial record Two : IQuery<int>, INotification; internal static class H { [Handler] public static int On(Two q) => 2; }" },
        { "PR0013", "[assembly: UseHandler(typeof(ByIdHandler<>))] public sealed record ById<T>(int Id) : IQuery<T>; public sealed class ByIdHandler<T> : IRequestHandler<ById<T>, T> { public ValueTask<T> Handle(ById<T> q, CancellationToken ct) => default; }" },
        { "PR0013", "[assembly: UseHandler(typeof(System.Text.StringBuilder))]" },
        { "PR0013", "[assembly: UseHandler(typeof(Shape))] internal abstract class Shape : ICommandHandler<string> { public abstract ValueTask Handle(string c, CancellationToken ct); }" },
        { "PR0013", "[assembly: UseMiddleware(typeof(System.Text.StringBuilder))]" },
        { "PR0014", "public sealed partial record Began([property: Postrider.Sagas.SagaId] string Id) : INotification; [Postrider.Sagas.Saga] internal sealed class S { [Handler] public void On(Began m) { } }" },
        { "PR0014", "public sealed partial record Began([property: Postrider.Sagas.SagaId] string Id) : INotification; [Postrider.Sagas.Saga] internal sealed class S(int n) { public int N => n; [Postrider.Sagas.StartsSaga] public void On(Began m) { } }" },
        { "PR0014", "public sealed partial record Began([property: Postrider.Sagas.SagaId] string Id) : INotification; [Postrider.Sagas.Saga] internal abstract class S { [Postrider.Sagas.StartsSaga] public void On(Began m) { } }" },
        { "PR0014", "public sealed partial record Began([property: Postrider.Sagas.SagaId] string Id) : INotification; [Postrider.Sagas.Saga] internal sealed class S<T> { [Postrider.Sagas.StartsSaga] public void On(Began m) { } }" },
        { "PR0014", "public sealed partial record Began([property: Postrider.Sagas.SagaId] string Id) : INotification; internal sealed class S { [Postrider.Sagas.StartsSaga] public void On(Began m) { } }" },
        { "PR0014", "public sealed partial record Began([property: Postrider.Sagas.SagaId] string Id) : INotification; [Postrider.Sagas.Saga] internal sealed class S { [Postrider.Sagas.StartsSaga] public void On(Began m) { } [Postrider.Sagas.SagaTimeout] public static void Late(Began m) { } }" },
        { "PR0014", "public sealed partial record Began([property: Postrider.Sagas.SagaId] string Id) : INotification; [Postrider.Sagas.Saga] internal sealed class S { [Postrider.Sagas.StartsSaga] public void On(Began m) { } [Handler] public int Count(Other m) => 1; } public sealed partial record Other([property: Postrider.Sagas.SagaId] string Id) : ICommand;" },
        { "PR0014", "public sealed partial record Began([property: Postrider.Sagas.SagaId] string Id) : INotification; [Postrider.Sagas.Saga] internal sealed class S { [Postrider.Sagas.StartsSaga] public void On(Began m) { } [Handler] public void Count(Q m) { } } public sealed partial record Q([property: Postrider.Sagas.SagaId] string Id) : IQuery<int>; internal static class H { [Handler] public static int On(Q q) => 2; }" },
        { "PR0014", "public sealed partial record Began([property: Postrider.Sagas.SagaId] string Id) : INotification; [Postrider.Sagas.Saga] internal sealed class S { [Postrider.Sagas.StartsSaga] public void On(Began m) { } [Handler] private void Later(Other m) { } } public sealed partial record Other([property: Postrider.Sagas.SagaId] string Id) : INotification;" },
        { "PR0015", "public sealed partial record Began(string Id) : INotification; [Postrider.Sagas.Saga] internal sealed class S { [Postrider.Sagas.StartsSaga] public void On(Began m) { } }" },
        { "PR0015", "public sealed partial record Began([property: Postrider.Sagas.SagaId] DayOfWeek Id) : INotification; [Postrider.Sagas.Saga] internal sealed class S { [Postrider.Sagas.StartsSaga] public void On(Began m) { } }" },
        { "PR0015", "public sealed partial record Began([property: Postrider.Sagas.SagaId] string Id, [property: Postrider.Sagas.SagaId] string No) : INotification; [Postrider.Sagas.Saga] internal sealed class S { [Postrider.Sagas.StartsSaga] public void On(Began m) { } }" },
        { "PR0015", "public sealed partial record Began([property: Postrider.Sagas.SagaId] string Id) : INotification; [Postrider.Sagas.Saga] internal sealed class S { [Postrider.Sagas.StartsSaga] public void On(Began m) { } [Handler] [Postrider.Sagas.CorrelateBy(\"Order.Id\")] public void On(Other m) { } } public sealed partial record Other(string Id) : INotification;" },
        { "PR0016", "public sealed partial record Began([property: Postrider.Sagas.SagaId] string Id) : INotification; [Postrider.Sagas.Saga] internal sealed class S { [Postrider.Sagas.StartsSaga] public void On(Began m) { } [Handler] public void Again(Began m) { } }" },
        { "PR0003", "public sealed partial record Go([property: Postrider.Sagas.SagaId] string Id) : ICommand; [Postrider.Sagas.Saga] internal sealed class S { [Postrider.Sagas.StartsSaga] public void On(Go m) { } } internal static class H { [Handler] public static void On(Go m) { } }" },
        { "PR0013", "[assembly: UseMiddleware(typeof(M<,>))] internal sealed class M<Q, R> : IMiddleware<Q, R> where Q : IRequest<R> { private M() { } public ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) => next.Invoke(q, ct); }" },
    };

    public static TheoryData<string, string> Sound => new()
    {
        { "PR0014", "public sealed partial record Go([property: Postrider.Sagas.SagaId] Guid Id) : ICommand; public sealed partial record Late(Address To) : ICommand; public sealed record Address(int No); [Postrider.Sagas.Saga] internal sealed record S { public int N { get; set; } [Postrider.Sagas.StartsSaga] public Task On(Go m, Postrider.Sagas.SagaContext s, MessageContext c, CancellationToken ct, IServiceProvider p, TimeProvider time) => Task.CompletedTask; [Postrider.Sagas.SagaTimeout] [Postrider.Sagas.CorrelateBy(\"To.No\")] public ValueTask On(Late m) => default; }" },
        { "PR0016", "public sealed partial record Go([property: Postrider.Sagas.SagaId] Guid Id) : ICommand; public sealed partial record Late(Address To) : ICommand; public sealed record Address(int No); [Postrider.Sagas.Saga] internal sealed record S { public int N { get; set; } [Postrider.Sagas.StartsSaga] public Task On(Go m, Postrider.Sagas.SagaContext s, MessageContext c, CancellationToken ct, IServiceProvider p, TimeProvider time) => Task.CompletedTask; [Postrider.Sagas.SagaTimeout] [Postrider.Sagas.CorrelateBy(\"To.No\")] public ValueTask On(Late m) => default; }" },
        { "PR0001", "public sealed partial record Go([property: Postrider.Sagas.SagaId] Guid Id) : ICommand; [Postrider.Sagas.Saga] internal sealed class S { [Postrider.Sagas.StartsSaga] public void On(Go m) { } }" },
        { "PR0015", "public sealed partial record Go([Postrider.Sagas.SagaId] long Id) : ICommand; [Postrider.Sagas.Saga] internal sealed class S { [Postrider.Sagas.StartsSaga] public void On(Go m) { } }" },
        { "PR0015", "public sealed partial record Go(string Id) : ICommand; [Postrider.Sagas.Saga] internal sealed class S { [Postrider.Sagas.StartsSaga] public void On(Go m) { } } internal static class Setup { internal static void Add(Postrider.Sagas.SagaOptions o) => o.For<S>().Correlate<Go>(go => go.Id); }" },
        { "PR0001", "" },
        { "PR0001", "public sealed partial record Pack(int Id) : ICommand; internal sealed class Packing : ICommandHandler<MessageBatch<Pack>> { public ValueTask Handle(MessageBatch<Pack> b, CancellationToken ct) => default; }" },
        { "PR0001", "public sealed partial record Pack(int Id) : ICommand; public static class Setup { public static void Add(Postrider.Dispatch.DispatchOptions o) => o.RouteByAttribute(m => m.Command<Pack>()); }" },
        { "PR0001", "public sealed partial record Far(int Id) : IStreamRequest<int>; public static class Setup { public static void Add(Postrider.Dispatch.DispatchOptions o) => o.RouteStream<Far, int>(\"t\", null!, \"far\"); }" },
        { "PR0001", "public abstract record Shape : IQuery<int>;" },
        { "PR0003", "public sealed partial record N : INotification; internal sealed class A : INotificationHandler<N> { public ValueTask Handle(N n, CancellationToken ct) => default; } internal sealed class B : INotificationHandler<N> { public ValueTask Handle(N n, CancellationToken ct) => default; }" },
        { "PR0004", "public sealed partial record Text : IQuery<string>; internal static class H { [Handler] public static Task<string> On(Text q) => Task.FromResult(\"\"); }" },
        { "PR0005", "[Middleware] internal sealed class M<Q, R> : IMiddleware<Q, R> where Q : IQuery<R> { public ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) => next.Invoke(q, ct); }" },
        { "PR0006", "public sealed class Db; public static class Setup { public static void Add(IServiceCollection s) => s.AddScoped<Db>(); } public sealed partial record Save : ICommand; internal sealed class SaveHandler(Db db) : ICommandHandler<Save> { public Db Kept => db; public ValueTask Handle(Save c, CancellationToken ct) => default; }" },
        { "PR0007", "public sealed partial record Once : IQuery<int>; internal sealed class OnceHandler(IDispatcher d) : IRequestHandler<Once, int> { public ValueTask<int> Handle(Once q, CancellationToken ct) => d.SendAsync(new Ask(), ct); }" },
        { "PR0008", "internal static class H { public sealed partial record Open : IQuery<int>; [Handler] internal static int On(Open q) => 2; }" },
        { "PR0008", "public sealed record Kind; internal static class H { [Handler] public static int On(Kind kind, [FromKeyedServices(3)] int keyed, int otherwise = 4) => 2; }" },
        { "PR0009", "public sealed partial record Whole : INotification;" },
        { "PR0001", "[assembly: UseHandler(typeof(ByIdHandler<int>))] public sealed record ById<T>(int Id) : IQuery<T>; public sealed class ByIdHandler<T> : IRequestHandler<ById<T>, T> { public ValueTask<T> Handle(ById<T> q, CancellationToken ct) => default; } public static class Caller { public static ValueTask<int> Call(IDispatcher d) => d.SendAsync(new ById<int>(1)); }" },
        { "PR0006", "[Middleware(Lifetime = HandlerLifetime.Singleton)] internal sealed class M<Q, R>(TimeProvider time) : IMiddleware<Q, R> where Q : IQuery<R> { public ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) => time is null ? default : next.Invoke(q, ct); }" },
        { "PR0007", Loops + "internal sealed class PongHandler : IRequestHandler<Pong, int> { public ValueTask<int> Handle(Pong q, CancellationToken ct) => new(1); }" },
        { "PR0007", "public sealed partial record First : IQuery<int>; public sealed partial record Then : IQuery<int>; internal static class Both { [Handler] public static ValueTask<int> On(First q, IDispatcher d) => d.SendAsync(new Then()); [Handler] public static int On(Then q) => 1; }" },
        { "PR0011", "[Publish(PublishStrategy.Parallel)] public sealed partial record Even : INotification;" },
        { "PR0010", "public sealed partial record One : IQuery<int>, IRequest<int>; internal static class H { [Handler] public static int On(One q) => 2; }" },
        { "PR0012", "public sealed partial record One : IQuery<int>; public sealed partial record Told : INotification; internal static class H { [Handler] public static int On(One q) => 2; }" },
        { "PR0013", "[assembly: UseHandler(typeof(ByIdHandler<int>))] public sealed record ById<T>(int Id) : IQuery<T>; public sealed class ByIdHandler<T> : IRequestHandler<ById<T>, T> { public ValueTask<T> Handle(ById<T> q, CancellationToken ct) => default; }" },
        { "PR0013", "[assembly: UseMiddleware(typeof(Postrider.Middleware.LoggingMiddleware<,>))]" },
        { "PR0003", "[assembly: UseHandler(typeof(AskHandler))]" },
    };

    [Theory]
    [MemberData(nameof(Bad))]
    public async Task Bad_source_is_reported(string id, string source)
    {
        var found = await UserProject.Diagnose(UserProject.Source(Ordered(source)));

        var reported = Assert.Single(found.Where(d => d.Id == id).DistinctBy(d => d.GetMessage()).Take(1));
        Assert.Contains(id, reported.Descriptor.HelpLinkUri, StringComparison.Ordinal);
        Assert.NotEqual(Location.None, reported.Location);
    }

    [Theory]
    [MemberData(nameof(Sound))]
    public async Task Good_source_is_not_reported(string id, string source)
    {
        var found = await UserProject.Diagnose(UserProject.Source(Ordered(source)));

        Assert.DoesNotContain(found, d => d.Id == id);
    }

    [Fact]
    public async Task Message_of_another_project_that_nobody_handles_is_reported_where_it_is_sent()
    {
        var contracts = UserProject.Compile("public sealed partial record Far : IQuery<int>;", "Contracts", isLibrary: true);
        var source = Main + "public static class Caller { public static ValueTask<int> Call(IDispatcher d) => d.SendAsync(new Far()); }";

        var found = await UserProject.Diagnose(UserProject.Source(source, references: contracts));

        Assert.Contains("Contracts", Assert.Single(found, d => d.Id == "PR0002").GetMessage(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Message_that_a_referenced_project_handles_is_not_reported()
    {
        var sales = UserProject.Compile("public sealed partial record Near : IQuery<int>; internal static class H { [Handler] public static int On(Near q) => 1; }", "Sales", isLibrary: true);
        var source = Main + "public static class Caller { public static ValueTask<int> Call(IDispatcher d) => d.SendAsync(new Near()); }";

        var found = await UserProject.Diagnose(UserProject.Source(source, references: sales));

        Assert.DoesNotContain(found, d => d.Id is "PR0001" or "PR0002");
    }

    [Fact]
    public async Task Message_that_two_referenced_projects_handle_is_reported_with_both()
    {
        var contracts = UserProject.Compile("public sealed partial record Far : IQuery<int>; public sealed partial record Told : INotification;", "Contracts", isLibrary: true);
        const string Handlers = "internal static class H { [Handler] public static int On(Far q) => 1; [Handler] public static void On(Told n) { } }";
        var one = UserProject.Compile(Handlers, "One", isLibrary: true, references: contracts);
        var two = UserProject.Compile(Handlers, "Two", isLibrary: true, references: contracts);

        var found = await UserProject.Diagnose(UserProject.Source(Main, references: [contracts, one, two]));

        Assert.Equal(
            "Far, which One handles, is also handled by Two; a message that is sent has exactly one handler",
            Assert.Single(found, d => d.Id == "PR0003").GetMessage(CultureInfo.InvariantCulture));
    }

    [Fact]
    public async Task Message_that_is_routed_past_two_referenced_handlers_is_not_reported()
    {
        var contracts = UserProject.Compile("public sealed partial record Far : IQuery<int>;", "Contracts", isLibrary: true);
        const string Handlers = "internal static class H { [Handler] public static int On(Far q) => 1; }";
        var one = UserProject.Compile(Handlers, "One", isLibrary: true, references: contracts);
        var two = UserProject.Compile(Handlers, "Two", isLibrary: true, references: contracts);
        var source = Main + "public static class Setup { public static void Add(Postrider.Dispatch.DispatchOptions o) => o.Route<Far, int>(_ => null!, null!, \"far\"); }";

        var found = await UserProject.Diagnose(UserProject.Source(source, references: [contracts, one, two]));

        Assert.DoesNotContain(found, d => d.Id == "PR0003");
    }

    [Fact]
    public async Task Middleware_that_can_name_neither_of_two_types_of_one_name_says_so_and_compiles()
    {
        const string Sales = "namespace Shared; public sealed partial record Near : IQuery<int>; internal static class H { [Handler] public static int On(Near q) => 1; }";
        var one = UserProject.Compile(Sales, "One", isLibrary: true);
        var two = UserProject.Compile(Sales, "Two", isLibrary: true);
        var source = Main + Good + "[Middleware] internal sealed class M<Q, R> : IMiddleware<Q, R> where Q : IQuery<R> { public ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) => next.Invoke(q, ct); }";

        var user = UserProject.Compile(source, references: [one, two]);

        Assert.Contains("One and Two", Assert.Single(await UserProject.Diagnose(user.Compilation), d => d.Id == "PR0005").GetMessage(CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Library_may_hold_messages_that_its_users_handle()
    {
        var found = await UserProject.Diagnose(UserProject.Source("public sealed partial record Lonely : IQuery<int>;", isLibrary: true));

        Assert.DoesNotContain(found, d => d.Id == "PR0001");
    }

    [Fact]
    public async Task Message_that_is_routed_elsewhere_needs_no_handler()
    {
        var source = Main + """
            public sealed partial record Far : IQuery<int>;
            public static class Setup { public static void Add(Postrider.Dispatch.DispatchOptions o) => o.Route<Far, int>(_ => null!, null!, "far"); }
            """;

        var found = await UserProject.Diagnose(UserProject.Source(source));

        Assert.DoesNotContain(found, d => d.Id == "PR0001");
    }

    [Fact]
    public async Task Way_back_through_other_handlers_is_named()
    {
        var source = Main + Loops + "internal sealed class PongHandler(IDispatcher d) : IRequestHandler<Pong, int> { public ValueTask<int> Handle(Pong q, CancellationToken ct) => d.SendAsync(new Ping(), ct); }";

        var found = await UserProject.Diagnose(UserProject.Source(source));

        Assert.Contains(found, d => d.Id == "PR0007" && d.GetMessage().Contains("PingHandler sends Pong, which leads back to it (PongHandler)", StringComparison.Ordinal));
    }

    [Fact]
    public void Option_that_is_no_constant_is_refused_by_the_compiler()
    {
        var source = Main + "public static class Chosen { public static PublishStrategy Now => PublishStrategy.Parallel; } [Publish(Chosen.Now)] public sealed partial record Told : INotification;";

        var found = UserProject.Source(source).GetDiagnostics(TestContext.Current.CancellationToken);

        Assert.Contains(found, d => d.Id == "CS0182");
    }

    [Fact]
    public async Task Middleware_that_fits_messages_of_a_referenced_project_only_is_not_reported()
    {
        var sales = UserProject.Compile("public sealed partial record Near : IQuery<int>; internal static class H { [Handler] public static int On(Near q) => 1; }", "Sales", isLibrary: true);
        var source = Main + "[Middleware] internal sealed class M : IMiddleware<Near, int> { public ValueTask<int> Handle(Near q, Next<Near, int> next, CancellationToken ct) => next.Invoke(q, ct); }";

        var found = await UserProject.Diagnose(UserProject.Source(source, references: sales));

        Assert.DoesNotContain(found, d => d.Id == "PR0005");
    }

    [Theory]
    [InlineData("using MediatR;")]
    [InlineData("global using MediatR.Pipeline;")]
    [InlineData("using global::MediatR.NotificationPublishers;")]
    [InlineData("using Nothing = MediatR.Unit;")]
    [InlineData("public class Ask : MediatR.IRequest<int>;")]
    [InlineData("public static class Use { public static object Value => MediatR.Unit.Value; }")]
    public async Task Namespace_of_MediatR_is_reported_wherever_it_is_named(string source)
    {
        var found = await UserProject.Diagnose(UserProject.Source(source + "\n" + Main, withCompat: true));

        Assert.Single(found, d => d.Id == "PRM001");
    }

    [Theory]
    [InlineData("using Postrider.Compat.MediatR;", true)]
    [InlineData("using MediatR;", false)]
    [InlineData("namespace MediatR.Extensions { public static class Of { public static int MediatR => 1; } }", true)]
    [InlineData("public static class Use { public static class MediatR { public static int Count => 1; } public static int Of => MediatR.Count; }", true)]
    public async Task Namespace_of_the_replacement_and_other_things_called_MediatR_are_not_reported(string source, bool withCompat)
    {
        var found = await UserProject.Diagnose(UserProject.Source(source + "\n" + Main, withCompat: withCompat));

        Assert.DoesNotContain(found, d => d.Id == "PRM001");
    }

    [Theory]
    [InlineData("PR0003", "public class Again : IRequestHandler<Ask, int> { public Task<int> Handle(Ask r, CancellationToken ct) => Task.FromResult(2); }")]
    [InlineData("PR0008", "public class Outer { private class Hidden : INotificationHandler<Said> { public Task Handle(Said n, CancellationToken ct) => Task.CompletedTask; } }")]
    [InlineData("PR0001", "public record Lonely : IRequest;")]
    public async Task Handlers_of_MediatRs_shapes_are_checked_like_others(string id, string source)
    {
        const string Ported = """
            using IRequest = Postrider.Compat.MediatR.IRequest;
            using Postrider.Compat.MediatR;
            namespace Ported;
            public record Ask : Postrider.Compat.MediatR.IRequest<int>;
            public class AskHandler : Postrider.Compat.MediatR.IRequestHandler<Ask, int> { public Task<int> Handle(Ask r, CancellationToken ct) => Task.FromResult(1); }
            public record Said : Postrider.Compat.MediatR.INotification;

            """;
        var qualified = source
            .Replace("IRequestHandler<", "Postrider.Compat.MediatR.IRequestHandler<", StringComparison.Ordinal)
            .Replace("INotificationHandler<", "Postrider.Compat.MediatR.INotificationHandler<", StringComparison.Ordinal);

        var good = await UserProject.Diagnose(UserProject.Source(Ported + Main, withCompat: true));
        var found = await UserProject.Diagnose(UserProject.Source(Ported + qualified + Main, withCompat: true));

        Assert.DoesNotContain(good, d => d.Id == id);
        Assert.Contains(found, d => d.Id == id);
    }

    [Fact]
    public async Task Generic_message_sent_through_MediatRs_shapes_is_told_which_handler_to_close()
    {
        const string Source = """
            using Postrider.Compat.MediatR;
            public record Store;
            public record ById<T>(int Id) : Postrider.Compat.MediatR.IRequest<string>;
            public class ByIdHandler<T> : Postrider.Compat.MediatR.IRequestHandler<ById<T>, string> { public Task<string> Handle(ById<T> r, CancellationToken ct) => Task.FromResult(""); }
            public static class Caller { public static Task<string> Call(ISender sender) => sender.Send(new ById<Store>(4)); }

            """;

        var found = await UserProject.Diagnose(UserProject.Source(Source + Main, withCompat: true));

        var error = Assert.Single(found, d => d.Id == "PR0001");
        Assert.Contains(
            "close it with [assembly: UseHandler(typeof(ByIdHandler<Store>))]", error.GetMessage(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    // PR0002 needs two projects and PRM001 the other package: their tests are above.
    [Fact]
    public void Every_diagnostic_has_good_and_bad_source()
    {
        var ids = new Postrider.Generator.Diagnostics.PostriderAnalyzer().SupportedDiagnostics.Select(rule => rule.Id).Except(["PR0002"]).Order(StringComparer.Ordinal);

        Assert.Equal(ids, Bad.Select(row => row.Data.Item1).Distinct().Order(StringComparer.Ordinal));
        Assert.Equal(ids, Sound.Select(row => row.Data.Item1).Distinct().Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Every_diagnostic_has_a_page()
    {
        var rules = new Postrider.Generator.Diagnostics.PostriderAnalyzer().SupportedDiagnostics
            .Concat(new Postrider.Generator.Diagnostics.MigrationAnalyzer().SupportedDiagnostics);

        Assert.All(rules, rule => Assert.Contains(
            rule.Title.ToString(),
            File.ReadAllText(Checkout.PathOf("docs", "diagnostics", rule.Id + ".md")),
            StringComparison.Ordinal));
    }

    // Attributes of the assembly stand before every type.
    private static string Ordered(string source)
    {
        var end = source.StartsWith("[assembly:", StringComparison.Ordinal) ? source.IndexOf(']', StringComparison.Ordinal) + 1 : 0;
        return source[..end] + Main + Good + source[end..];
    }
}
