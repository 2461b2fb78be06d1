using System.IO.Compression;

namespace Postrider.SystemTests.Packages;

/// <summary>What a user gets who refers to the packages alone.</summary>
[Collection(nameof(RepositoryBuilds))]
public sealed class PackageTests(PackedPackages packages)
{
    [Fact]
    public async Task Project_with_the_package_alone_is_wired_diagnosed_and_intercepted()
    {
        await using (var package = await ZipFile.OpenReadAsync(Path.Join(packages.Feed, $"Postrider.{PackedPackages.Version}.nupkg")))
        {
            var files = package.Entries.Select(e => e.FullName).ToList();
            Assert.Contains("analyzers/dotnet/cs/Postrider.Generator.dll", files);
            Assert.Contains("analyzers/dotnet/cs/Postrider.Generator.CodeFixes.dll", files);
            Assert.Contains("build/net10.0/Postrider.targets", files);
            Assert.Contains("lib/net10.0/Postrider.xml", files);
        }

        var user = await UserProjectAsync("user", "Postrider", """
            using Microsoft.Extensions.DependencyInjection;
            using Postrider;

            var dispatcher = new ServiceCollection().AddPostrider().BuildServiceProvider().GetRequiredService<IDispatcher>();
            Console.WriteLine(await dispatcher.SendAsync(new Ask(41)));

            public sealed partial record Ask(int N) : IQuery<string>;

            internal static class Handlers
            {
                [Handler] public static string Answer(Ask query) => $"{query.N + 1} {(Environment.StackTrace.Contains("Interceptors") ? "intercepted" : "looked up")}";
            }
            """);

        // Debug: frames of the stack are those of the source.
        await DotnetCommand.SdkAsync(user, "build", "-c", "Debug", "-o", "out", "-warnaserror", "-nologo", "-v", "q");
        var (exitCode, output) = await DotnetCommand.RunAsync(user, Path.Join(user, "out", "user"));

        Assert.Equal(0, exitCode);
        Assert.Equal("42 intercepted", output.Trim());

        await File.AppendAllTextAsync(Path.Join(user, "Program.cs"), "\npublic sealed record Forgotten : ICommand;\n");
        var (failed, said) = await DotnetCommand.RunAsync(user, "dotnet", "build", "--no-restore", "-c", "Debug", "-o", "out", "-nologo", "-v", "q", "-nodeReuse:false");

        Assert.NotEqual(0, failed);
        Assert.Contains("PR0001", said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Project_of_an_older_framework_is_told_that_the_package_does_not_fit_it()
    {
        var user = await UserProjectAsync("older", "Postrider", "System.Console.WriteLine();");
        var project = Path.Join(user, "older.csproj");
        await File.WriteAllTextAsync(project, (await File.ReadAllTextAsync(project)).Replace("net10.0", "net9.0", StringComparison.Ordinal).Replace("""<FrameworkReference Include="Microsoft.AspNetCore.App" />""", "", StringComparison.Ordinal));

        var (failed, said) = await DotnetCommand.RunAsync(user, "dotnet", "restore", "-nodeReuse:false");

        Assert.NotEqual(0, failed);
        Assert.Contains("NU1202", said, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Package_of_MediatRs_shapes_brings_the_generator_along()
    {
        var user = await UserProjectAsync("ported", "Postrider.Compat.MediatR", """
            using Microsoft.Extensions.DependencyInjection;
            using Postrider.Compat.MediatR;

            var services = new ServiceCollection().AddMediatR(options => options.RegisterServicesFromAssembly(typeof(Ping).Assembly));
            Console.WriteLine(await services.BuildServiceProvider().GetRequiredService<IMediator>().Send(new Ping("ping")));

            public sealed record Ping(string Text) : IRequest<string>;

            public sealed class PingHandler : IRequestHandler<Ping, string>
            {
                public Task<string> Handle(Ping request, CancellationToken cancellationToken) => Task.FromResult(request.Text + " pong");
            }
            """);

        await DotnetCommand.SdkAsync(user, "build", "-c", "Debug", "-o", "out", "-warnaserror", "-nologo", "-v", "q");
        var (exitCode, output) = await DotnetCommand.RunAsync(user, Path.Join(user, "out", "ported"));

        Assert.Equal(0, exitCode);
        Assert.Equal("ping pong", output.Trim());
    }

    [Fact]
    public async Task Package_of_contracts_brings_the_generators_of_its_clients_and_of_its_formats()
    {
        var user = await UserProjectAsync("contracts", "Postrider.Rpc.Soap", """
            using System.Net;
            using Postrider.MessagePack;
            using Postrider.Rpc;
            using Postrider.Rpc.Soap;
            using Postrider.Xml;

            RpcCodec[] codecs = [new RpcMessagePackCodec(Messages.Default), new RpcXmlCodec(OrdersXml.Default)];
            foreach (var codec in codecs)
            {
                await using var server = SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), codec, OrdersContract.Serve(new Orders()));
                await using var channel = new SocketChannel(server.EndPoint, codec);
                Console.WriteLine(await new OrdersClient(channel).PlaceAsync(new Order("tea", 2)));
            }

            [Service("orders")]
            public interface IOrders
            {
                ValueTask<int> PlaceAsync(Order order);
            }

            [MessagePackObject]
            public sealed record Order([property: Key(0)] string Item, [property: Key(1)] int Quantity);

            [MessagePackSerializable(typeof(Order))]
            public sealed partial class Messages : MessagePackContext;

            [XmlSerializable(typeof(IOrders))]
            public sealed partial class OrdersXml : XmlContext;

            internal sealed class Orders : IOrders
            {
                public ValueTask<int> PlaceAsync(Order order) => new(order.Quantity);
            }
            """);

        await DotnetCommand.SdkAsync(user, "build", "-c", "Debug", "-o", "out", "-warnaserror", "-nologo", "-v", "q");
        var (exitCode, output) = await DotnetCommand.RunAsync(user, Path.Join(user, "out", "contracts"));

        Assert.Equal(0, exitCode);
        Assert.Equal("2 2", string.Join(' ', output.Split('\n', StringSplitOptions.RemoveEmptyEntries)));
    }

    [Fact]
    public async Task Package_of_contracts_alone_brings_no_XML()
    {
        var user = await UserProjectAsync("plain", "Postrider.Rpc", """
            using System.Net;
            using Postrider.Rpc;

            var codec = new RpcJsonCodec();
            await using var server = SocketServer.Start(new IPEndPoint(IPAddress.Loopback, 0), codec, DoublerContract.Serve(new Doubler()));
            await using var channel = new SocketChannel(server.EndPoint, codec);
            Console.WriteLine(await new DoublerClient(channel).DoubleAsync(21));

            [Service("doubler")]
            public interface IDoubler
            {
                ValueTask<int> DoubleAsync(int number);
            }

            internal sealed class Doubler : IDoubler
            {
                public ValueTask<int> DoubleAsync(int number) => new(number * 2);
            }
            """);

        await DotnetCommand.SdkAsync(user, "build", "-c", "Debug", "-o", "out", "-warnaserror", "-nologo", "-v", "q");
        var (exitCode, output) = await DotnetCommand.RunAsync(user, Path.Join(user, "out", "plain"));

        Assert.Equal(0, exitCode);
        Assert.Equal("42", output.Trim());
        Assert.Equal(
            ["Postrider.Configuration.dll", "Postrider.Memory.dll", "Postrider.MessagePack.dll", "Postrider.Resilience.dll", "Postrider.Rpc.dll", "Postrider.Serialization.dll", "Postrider.Sockets.dll", "Postrider.dll"],
            Directory.EnumerateFiles(Path.Join(user, "out"), "Postrider*.dll").Select(Path.GetFileName).Order(StringComparer.Ordinal));
    }

    private Task<string> UserProjectAsync(string name, string package, string program) => packages.UserProjectAsync(name, program, [package]);
}
