namespace Postrider.GeneratorTests;

/// <summary>A message that is null never reaches a handler, whichever way it is sent: the parameter is named at once.</summary>
public sealed class NullMessageTests
{
    private const string Messages = """
        using Postrider.Generated;
        using Postrider.Testing;
        public static class Program { public static void Main() { } }
        public sealed partial record Ask(int N) : IQuery<int>;
        public record Open(int N) : IQuery<int>;
        public sealed partial record Do : ICommand;
        public sealed partial record Told : INotification;
        public record Heard : INotification;
        public sealed partial record Many : IStreamRequest<int>;
        public sealed record Plain;
        internal sealed class AskHandler : IRequestHandler<Ask, int> { public ValueTask<int> Handle(Ask q, CancellationToken ct) => new(q?.N ?? -1); }
        internal static class Handlers
        {
            [Handler] public static int On(Open q) => q?.N ?? -1;
            [Handler] public static void On(Do c) { }
            [Handler] public static void On(Told n) { }
            [Handler] public static void On(Heard n) { }
            [Handler] public static string On(Plain p) => "";
            [Handler] public static async IAsyncEnumerable<int> On(Many m) { await Task.Yield(); yield return 1; }
        }
        public static class Names
        {
            public static string Of(Action call)
            {
                try { call(); return "nothing"; }
                catch (ArgumentNullException error) { return error.ParamName!; }
                catch (Exception error) { return error.GetType().Name; }
            }
        }

        """;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Null_through_IDispatcher_names_the_parameter(bool isRecorded)
    {
        var user = UserProject.Compile(Messages + """
            public static class App
            {
                private static Ask? s_ask; private static Open? s_open; private static Do? s_do; private static Told? s_told; private static Heard? s_heard; private static Many? s_many;
                private static ValueTask<R> Send<R>(IDispatcher d, IRequest<R>? r) => d.SendAsync(r!);
                public static async Task<string> Run(bool isRecorded)
                {
                    var services = new ServiceCollection().AddPostrider();
                    if (isRecorded) services.AddDispatchRecorder();
                    await using var provider = services.BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    return string.Join(" ",
                        Names.Of(() => d.SendAsync(s_ask!)), Names.Of(() => d.SendAsync(s_open!)), Names.Of(() => Send<int>(d, null)),
                        Names.Of(() => d.SendAsync(s_do!)), Names.Of(() => d.SendAsync((object)null!)), Names.Of(() => d.SendAsync<int>((object)null!)),
                        Names.Of(() => d.PublishAsync(s_told!)), Names.Of(() => d.PublishAsync(s_heard!)), Names.Of(() => d.PublishAsync((object)null!)),
                        Names.Of(() => d.PostAsync(null!)), Names.Of(() => d.StreamAsync(s_many!)), Names.Of(() => d.StreamAsync((object)null!)));
                }
            }
            """);

        Assert.Equal(
            "request request request command message message notification notification notification message request message",
            await user.RunWith([isRecorded]));
    }

    [Fact]
    public async Task Null_through_a_typed_overload_names_the_parameter()
    {
        var user = UserProject.Compile(Messages + """
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<AppDispatcher>();
                    await d.SendAsync(new Ask(1)); // the handler is made: what follows is the direct call
                    return string.Join(" ",
                        Names.Of(() => d.SendAsync((Ask)null!)), Names.Of(() => d.SendAsync((Open)null!)), Names.Of(() => d.SendAsync((Do)null!)),
                        Names.Of(() => d.SendAsync((Plain)null!)), Names.Of(() => d.PublishAsync((Told)null!)), Names.Of(() => d.StreamAsync((Many)null!)),
                        Names.Of(() => d.SendAsync((ICommand)null!)), Names.Of(() => d.PublishAsync((INotification)null!)));
                }
            }
            """);

        Assert.Equal("message message message message message message command notification", await user.Run());
    }

    [Fact]
    public async Task Null_in_the_shapes_of_MediatR_names_the_parameter()
    {
        var user = UserProject.Compile("""
            using Postrider.Compat.MediatR;
            public static class Program { public static void Main() { } }
            public sealed record Ping : Postrider.Compat.MediatR.IRequest<int>;
            public sealed record Fire : IRequest;
            public sealed record Told : Postrider.Compat.MediatR.INotification;
            public sealed record Many : Postrider.Compat.MediatR.IStreamRequest<int>;
            public sealed class Handler : Postrider.Compat.MediatR.IRequestHandler<Ping, int>, IRequestHandler<Fire>
            {
                public Task<int> Handle(Ping r, CancellationToken ct) => Task.FromResult(1);
                public Task Handle(Fire r, CancellationToken ct) => Task.CompletedTask;
            }
            public static class App
            {
                private static string NameOf(Action call)
                {
                    try { call(); return "nothing"; }
                    catch (ArgumentNullException error) { return error.ParamName!; }
                    catch (Exception error) { return error.GetType().Name; }
                }

                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddMediatR(_ => { }).BuildServiceProvider(true);
                    var m = provider.GetRequiredService<IMediator>();
                    return string.Join(" ",
                        NameOf(() => m.Send((Ping)null!)), NameOf(() => m.Send((Fire)null!)), NameOf(() => m.Send((object)null!)),
                        NameOf(() => m.Publish((Told)null!)), NameOf(() => m.Publish((object)null!)),
                        NameOf(() => m.CreateStream((Many)null!)), NameOf(() => m.CreateStream((object)null!)));
                }
            }
            """, withCompat: true);

        Assert.Equal("request request request notification notification request request", await user.Run());
    }
}
