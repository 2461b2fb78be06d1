namespace Postrider.GeneratorTests;

public sealed class SagaTests
{
    private const string Source = """
        using Postrider.Sagas;
        using Postrider.Middleware;
        public static class Program { public static void Main() { } }
        public sealed partial record Begin([SagaId] Guid Id, int N) : ICommand;
        public sealed partial record @event(To @to) : INotification;
        public sealed record To(Guid @class);
        public sealed class Adder { public int Add(int a, int b) => a + b; }
        [Saga]
        internal class Sum
        {
            public int Total { get; set; }
            [StartsSaga] public Task Begin(Begin m, SagaContext saga, Adder adder, CancellationToken ct) { Total = adder.Add(Total, m.N); return Task.CompletedTask; }
            [Handler, CorrelateBy("to.class")] public void Double(@event m) => Total *= 2;
        }
        internal sealed class SumSerializer : Postrider.Serialization.Serializer<Sum>
        {
            public override string ContentType => "text/plain";
            public override void Write(System.Buffers.IBufferWriter<byte> output, Sum value) { foreach (var digit in value.Total.ToString()) { output.GetSpan(1)[0] = (byte)digit; output.Advance(1); } }
            public override Sum Read(ReadOnlySpan<byte> input) => new() { Total = int.Parse(input) };
        }
        internal sealed class Sums : Postrider.Serialization.ISerializerProvider
        {
            public string ContentType => "text/plain";
            public bool Accepts(ReadOnlySpan<char> mediaType) => true;
            public Postrider.Serialization.Serializer<T>? Find<T>() => new SumSerializer() as Postrider.Serialization.Serializer<T>;
        }
        public static class App
        {
            public static async Task<string> Run()
            {
                var services = new ServiceCollection().AddSingleton<Adder>().AddPostrider(o => o.ValidateOnStart = true);
                services.AddPostriderSagas(new Sums()).UseInMemory();
                await using var provider = services.BuildServiceProvider(true);
                var dispatcher = provider.GetRequiredService<IDispatcher>();
                var (one, two) = (Guid.NewGuid(), Guid.NewGuid());
                await dispatcher.SendAsync(new Begin(one, 3));
                await dispatcher.SendAsync(new Begin(one, 4));
                await dispatcher.SendAsync(new Begin(two, 1));
                await dispatcher.PublishAsync(new @event(new To(one)));
                var states = provider.GetRequiredService<SagaStates>();
                return $"{(await states.FindAsync<Sum>(one.ToString()))!.Total} {(await states.FindAsync<Sum>(two.ToString()))!.Total}";
            }
        }
        """;

    [Fact]
    public async Task Messages_reach_the_saga_of_their_id_with_services_and_names_that_are_keywords()
        => Assert.Equal("14 1", await UserProject.Compile(Source).Run());

    [Fact]
    public void Generated_code_has_one_class_for_each_saga()
    {
        var generated = string.Join("\n", UserProject.Compile(Source).Compilation.SyntaxTrees.Where(tree => tree.FilePath.EndsWith("Postrider.Sagas.g.cs", StringComparison.Ordinal)).Select(tree => tree.ToString()));

        Assert.Contains("new _X::SagaHandler<global::Sum, global::Begin>(_X::SagaRole.Starts, static () => new global::Sum(), static message => _X::SagaIds.Of(message.Id));", generated, StringComparison.Ordinal);
        Assert.Contains("static message => _X::SagaIds.Of(message.to.@class)", generated, StringComparison.Ordinal);
    }
}
