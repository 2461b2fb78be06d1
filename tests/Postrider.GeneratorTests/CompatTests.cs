namespace Postrider.GeneratorTests;

public sealed class CompatTests
{
    [Fact]
    public async Task Code_written_for_MediatR_runs_after_changing_the_using()
    {
        var user = UserProject.Compile("""
            using Postrider.Compat.MediatR;
            public static class Program { public static void Main() { } }
            public static class Log { public static readonly List<string> Lines = new(); }
            public record Ping(string Text) : Postrider.Compat.MediatR.IRequest<string>;
            public class PingHandler : Postrider.Compat.MediatR.IRequestHandler<Ping, string> { public Task<string> Handle(Ping request, CancellationToken cancellationToken) => Task.FromResult(request.Text + " pong"); }
            public class Fire : IRequest { }
            public class FireHandler : IRequestHandler<Fire> { public async Task Handle(Fire request, CancellationToken cancellationToken) { await Task.Yield(); Log.Lines.Add("fired"); } }
            public record Said(string Text) : Postrider.Compat.MediatR.INotification;
            public class SaidHandler : Postrider.Compat.MediatR.INotificationHandler<Said> { public Task Handle(Said n, CancellationToken cancellationToken) { Log.Lines.Add(n.Text); return Task.CompletedTask; } }
            public record Items : Postrider.Compat.MediatR.IStreamRequest<int>;
            public class ItemsHandler : Postrider.Compat.MediatR.IStreamRequestHandler<Items, int> { public async IAsyncEnumerable<int> Handle(Items r, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken ct) { await Task.Yield(); yield return 5; } }
            public class Logging<TRequest, TResponse> : IPipelineBehavior<TRequest, TResponse> where TRequest : notnull
            { public async Task<TResponse> Handle(TRequest request, RequestHandlerDelegate<TResponse> next, CancellationToken ct) { Log.Lines.Add("<" + typeof(TRequest).Name); var r = await next(); Log.Lines.Add(">"); return r; } }
            public class Before<TRequest> : IRequestPreProcessor<TRequest> where TRequest : notnull { public Task Process(TRequest r, CancellationToken ct) { Log.Lines.Add("pre"); return Task.CompletedTask; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection()
                        .AddMediatR(c => c.RegisterServicesFromAssembly(typeof(Ping).Assembly).AddOpenBehavior(typeof(Logging<,>)).AddOpenRequestPreProcessor(typeof(Before<>)))
                        .BuildServiceProvider(true);
                    await using var scope = provider.CreateAsyncScope();
                    var mediator = scope.ServiceProvider.GetRequiredService<IMediator>();
                    Log.Lines.Add(await mediator.Send(new Ping("ping")));
                    await mediator.Send(new Fire());
                    Log.Lines.Add((await mediator.Send((object)new Ping("object")))!.ToString()!);
                    await mediator.Publish(new Said("hello"));
                    await foreach (var i in mediator.CreateStream(new Items())) Log.Lines.Add(i.ToString());
                    return string.Join(" ", Log.Lines);
                }
            }
            """, withCompat: true);

        var log = await user.Run();

        Assert.Equal("pre <Ping > ping pong pre <Fire fired > pre <Ping > object pong hello 5", log);
    }

    [Fact]
    public async Task Exceptions_go_to_the_nearest_handler_and_then_to_the_actions()
    {
        var user = UserProject.Compile("""
            using Postrider.Compat.MediatR;
            public static class Program { public static void Main() { } }
            public static class Log { public static readonly List<string> Lines = new(); }
            public record Ask(string What) : Postrider.Compat.MediatR.IRequest<string>;
            public class AskHandler : Postrider.Compat.MediatR.IRequestHandler<Ask, string>
            { public Task<string> Handle(Ask request, CancellationToken cancellationToken) => throw (request.What == "argument" ? new ArgumentNullException(request.What) : request.What == "state" ? new InvalidOperationException() : new TimeoutException()); }
            public class Near : IRequestExceptionHandler<Ask, string, ArgumentException>
            { public Task Handle(Ask r, ArgumentException e, RequestExceptionHandlerState<string> state, CancellationToken ct) { state.SetHandled("near"); return Task.CompletedTask; } }
            public class Far : IRequestExceptionHandler<Ask, string, Exception>
            { public Task Handle(Ask r, Exception e, RequestExceptionHandlerState<string> state, CancellationToken ct) { Log.Lines.Add("far"); if (e is TimeoutException) state.SetHandled("late"); return Task.CompletedTask; } }
            public class Note<TRequest, TException> : IRequestExceptionAction<TRequest, TException> where TRequest : notnull where TException : Exception
            { public Task Execute(TRequest r, TException e, CancellationToken ct) { Log.Lines.Add("noted:" + e.GetType().Name); return Task.CompletedTask; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddMediatR(c => c.RegisterServicesFromAssembly(typeof(Ask).Assembly)).BuildServiceProvider(true);
                    var mediator = provider.GetRequiredService<IMediator>();
                    foreach (var what in new[] { "argument", "state", "time" })
                    {
                        try { Log.Lines.Add(await mediator.Send(new Ask(what))); } catch (InvalidOperationException) { Log.Lines.Add("thrown"); }
                    }
                    return string.Join(" ", Log.Lines);
                }
            }
            """, withCompat: true);

        Assert.Equal("near far noted:InvalidOperationException thrown far late", await user.Run());
    }

    [Fact]
    public async Task Stream_behaviors_and_processors_of_the_container_run_and_the_publisher_is_the_configured_one()
    {
        var user = UserProject.Compile("""
            using Postrider.Compat.MediatR;
            public static class Program { public static void Main() { } }
            public static class Log { public static readonly List<string> Lines = new(); }
            public record Items : Postrider.Compat.MediatR.IStreamRequest<int>;
            public class ItemsHandler : Postrider.Compat.MediatR.IStreamRequestHandler<Items, int> { public async IAsyncEnumerable<int> Handle(Items r, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken ct) { await Task.Yield(); yield return 5; yield return 6; } }
            public class Doubling<TRequest, TResponse> : IStreamPipelineBehavior<TRequest, TResponse> where TRequest : notnull
            { public async IAsyncEnumerable<TResponse> Handle(TRequest r, StreamHandlerDelegate<TResponse> next, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken ct) { await foreach (var i in next()) { yield return i; yield return i; } } }
            public record Ask : Postrider.Compat.MediatR.IRequest<int>;
            public class AskHandler : Postrider.Compat.MediatR.IRequestHandler<Ask, int> { public Task<int> Handle(Ask r, CancellationToken ct) => Task.FromResult(7); }
            public class After : IRequestPostProcessor<Ask, int> { public Task Process(Ask r, int response, CancellationToken ct) { Log.Lines.Add("post" + response); return Task.CompletedTask; } }
            public record Said : Postrider.Compat.MediatR.INotification;
            public class SaidA : Postrider.Compat.MediatR.INotificationHandler<Said> { public async Task Handle(Said n, CancellationToken ct) { await Task.Yield(); throw new InvalidOperationException(); } }
            public class SaidB : Postrider.Compat.MediatR.INotificationHandler<Said> { public Task Handle(Said n, CancellationToken ct) { Log.Lines.Add("heard"); return Task.CompletedTask; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddMediatR(c =>
                    {
                        c.AddOpenStreamBehavior(typeof(Doubling<,>)).AddRequestPostProcessor<IRequestPostProcessor<Ask, int>, After>();
                        c.NotificationPublisher = new TaskWhenAllPublisher();
                    }).BuildServiceProvider(true);
                    await using var scope = provider.CreateAsyncScope();
                    var mediator = scope.ServiceProvider.GetRequiredService<IMediator>();
                    await foreach (var i in mediator.CreateStream(new Items())) Log.Lines.Add(i.ToString());
                    await foreach (var i in mediator.CreateStream((object)new Items())) Log.Lines.Add("o" + i);
                    await mediator.Send(new Ask());
                    try { await mediator.Publish(new Said()); } catch (InvalidOperationException) { Log.Lines.Add("failed"); }
                    return string.Join(" ", Log.Lines);
                }
            }
            """, withCompat: true);

        Assert.Equal("5 5 6 6 o5 o5 o6 o6 post7 heard failed", await user.Run());
    }

    [Fact]
    public async Task Requests_without_a_response_show_MediatRs_unit_to_everything_around_them()
    {
        var user = UserProject.Compile("""
            using Postrider.Compat.MediatR;
            using Unit = Postrider.Compat.MediatR.Unit;
            public static class Program { public static void Main() { } }
            public static class Log { public static readonly List<string> Lines = new(); public static void Add(object line) => Lines.Add(line.ToString()!); }
            public record Fire(bool Fails) : IRequest;
            public class FireHandler : IRequestHandler<Fire> { public async Task Handle(Fire r, CancellationToken ct) { await Task.FromResult(Unit.Value); Log.Add(r.Fails ? throw new TimeoutException() : "fired"); } }
            public record Old : Postrider.Compat.MediatR.IRequest<Unit>;
            public class OldHandler : Postrider.Compat.MediatR.IRequestHandler<Old, Unit> { public Task<Unit> Handle(Old r, CancellationToken ct) { Log.Add("old"); return Unit.Task; } }
            public class Around : IPipelineBehavior<Fire, Unit>, IPipelineBehavior<Old, Unit>
            {
                public async Task<Unit> Handle(Fire r, RequestHandlerDelegate<Unit> next, CancellationToken ct) { Log.Add("<fire"); var u = await next(); Log.Add(">" + u); return u; }
                public async Task<Unit> Handle(Old r, RequestHandlerDelegate<Unit> next, CancellationToken ct) { Log.Add("<old"); return await next(); }
            }
            public class After : IRequestPostProcessor<Fire, Unit> { public Task Process(Fire r, Unit response, CancellationToken ct) { Log.Add("after" + response); return Task.CompletedTask; } }
            public class Before : IRequestPreProcessor<Fire> { public Task Process(Fire r, CancellationToken ct) { Log.Add("before"); return Task.CompletedTask; } }
            public class Rescue : IRequestExceptionHandler<Fire, Unit, TimeoutException> { public Task Handle(Fire r, TimeoutException e, RequestExceptionHandlerState<Unit> state, CancellationToken ct) { Log.Add("rescued"); state.SetHandled(Unit.Value); return Task.CompletedTask; } }
            public record Said : Postrider.Compat.MediatR.INotification;
            public class SaidHandler : NotificationHandler<Said> { protected override void Handle(Said n) => Log.Add("heard"); }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddMediatR(c => c
                        .AddBehavior<Around>().AddRequestPreProcessor<Before>().AddRequestPostProcessor<After>()).BuildServiceProvider(true);
                    await using var scope = provider.CreateAsyncScope();
                    var mediator = scope.ServiceProvider.GetRequiredService<IMediator>();
                    await mediator.Send(new Fire(false));
                    await mediator.Send(new Fire(true));
                    Log.Add((Unit)(await mediator.Send((object)new Fire(false)))! == Unit.Value);
                    Log.Add(await mediator.Send(new Old()));
                    await mediator.Publish(new Said());
                    return string.Join(" ", Log.Lines);
                }
            }
            """, withCompat: true);

        Assert.Equal(
            "before <fire fired >() after() before <fire rescued before <fire fired >() after() True <old old () heard", await user.Run());
    }
}
