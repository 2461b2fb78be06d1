using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace Postrider.Benchmarks.Dispatch;

/// <summary>Programs with many message types, written, built and started: the first dispatch from the start of Main, and the
/// warm cost of one type among many.</summary>
internal static class ColdStart
{
    private static readonly int[] s_counts = [10, 100, 1000];

    internal static void Run(string[] args, BenchReport report)
    {
        if (DispatchBench.Option(args, "--row") is { } row && !row.StartsWith("types", StringComparison.Ordinal))
            return;
        if (DispatchBench.Option(args, "--subject") is { } subject && subject != "Postrider")
            return;

        var repeats = args.Contains("--quick") ? 5 : 11;
        foreach (var count in s_counts)
        {
            var program = Build(count);
            var runs = Enumerable.Range(0, repeats).Select(_ => Start(program)).ToList();
            var first = Middle(runs, r => r.First);
            double? target = count == 1000 ? 50 : null;
            Line($"types {count}: first dispatch from Main", first, runs.Min(r => r.First), "ms", target);
            Line($"types {count}: one type, warm", Middle(runs, r => r.One), runs.Min(r => r.One), "ns", null);
            Line($"types {count}: round over all, warm", Middle(runs, r => r.Round), runs.Min(r => r.Round), "ns", null);
        }

        void Line(string name, double value, double least, string unit, double? target)
        {
            var holds = target is null || value <= target;
            report.Line(
                name, "Postrider", value, least, unit, null, null, null, target,
                target is null ? "" : $"<= {target} {unit} {(holds ? "holds" : "MISSED")}", holds);
        }
    }

    private static double Middle(List<Times> runs, Func<Times, double> value)
        => runs.Select(value).Order().ElementAt(runs.Count / 2);

    private static Times Start(string program)
    {
        var start = new ProcessStartInfo(program) { RedirectStandardOutput = true };
        using var process = Process.Start(start)!;
        var words = process.StandardOutput.ReadToEnd().Split(' ');
        process.WaitForExit();
        return new(Number(words[0]), Number(words[1]), Number(words[2]));

        static double Number(string word) => double.Parse(word, CultureInfo.InvariantCulture);
    }

    private static string Build(int count)
    {
        var root = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(root.FullName, "Postrider.slnx")))
            root = root.Parent ?? throw new InvalidOperationException("The benchmarks run inside the repository.");
        var folder = Path.Combine(root.FullName, "artifacts", "bench", "types" + count.ToString(CultureInfo.InvariantCulture));
        Directory.CreateDirectory(folder);
        File.WriteAllText(Path.Combine(folder, "Directory.Build.props"), "<Project />");
        File.WriteAllText(Path.Combine(folder, "Directory.Build.targets"), "<Project />");
        File.WriteAllText(Path.Combine(folder, "Directory.Packages.props"), "<Project />");
        var generator = Path.Combine(root.FullName, "src/Postrider.Generator/bin/Release/netstandard2.0/Postrider.Generator.dll");
        File.WriteAllText(Path.Combine(folder, "types.csproj"), $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <ImplicitUsings>enable</ImplicitUsings>
                <Nullable>enable</Nullable>
                <InvariantGlobalization>true</InvariantGlobalization>
                <InterceptorsNamespaces>Postrider.Generated</InterceptorsNamespaces>
              </PropertyGroup>
              <ItemGroup>
                <FrameworkReference Include="Microsoft.AspNetCore.App" />
                <Reference Include="{AppContext.BaseDirectory}Postrider.dll" />
                <Reference Include="{AppContext.BaseDirectory}Postrider.Flow.dll" />
                <Analyzer Include="{generator}" />
              </ItemGroup>
            </Project>
            """);
        File.WriteAllText(Path.Combine(folder, "Program.cs"), Program(count));
        var build = Process.Start(new ProcessStartInfo("dotnet", ["build", folder, "-c", "Release", "-v", "q", "-nologo", "-o", Path.Combine(folder, "out")])
        {
            RedirectStandardOutput = true,
        })!;
        var output = build.StandardOutput.ReadToEnd();
        build.WaitForExit();
        return build.ExitCode == 0
            ? Path.Combine(folder, "out", "types")
            : throw new InvalidOperationException(output);
    }

    private static string Program(int count)
    {
        var text = new StringBuilder("""
            using System.Diagnostics;
            using Microsoft.Extensions.DependencyInjection;
            using Postrider;
            using Postrider.Generated;

            var started = Stopwatch.GetTimestamp();
            var provider = new ServiceCollection().AddPostrider().BuildServiceProvider();
            var dispatcher = provider.GetRequiredService<IDispatcher>();
            var got = (await Send(dispatcher, Messages.All(MIDDLE))) - MIDDLE;
            var first = Stopwatch.GetElapsedTime(started).TotalMilliseconds;
            var all = Enumerable.Range(0, COUNT).Select(Messages.All).ToArray();
            for (var i = 0; i < COUNT; i++)
                got += (await Send(dispatcher, all[i])) - i;
            if (got != 0)
                throw new InvalidOperationException("A message met the wrong handler.");
            var concrete = provider.GetRequiredService<AppDispatcher>();
            var one = new[] { all[MIDDLE] };
            for (var phase = 0; phase < 4; phase++)
            {
                for (var i = 0; i < 100; i++)
                    Loop(concrete, all, 50_000 / COUNT);
                for (var i = 0; i < 100; i++)
                    Loop(concrete, one, 20_000);
                await Task.Delay(120);
            }
            var ns1 = Enumerable.Range(0, 9).Select(_ => Time(concrete, one, 200_000)).Min();
            var nsAll = Enumerable.Range(0, 9).Select(_ => Time(concrete, all, 400_000 / COUNT)).Min();
            Console.WriteLine(FormattableString.Invariant($"{first:0.00} {ns1:0.00} {nsAll:0.00}"));

            static ValueTask<int> Send(IDispatcher dispatcher, IRequest<int> message) => dispatcher.SendAsync(message);
            static double Time(AppDispatcher dispatcher, IRequest<int>[] messages, int rounds)
            {
                var started = Stopwatch.GetTimestamp();
                Loop(dispatcher, messages, rounds);
                return Stopwatch.GetElapsedTime(started).TotalNanoseconds / ((double)rounds * messages.Length);
            }
            static int Loop(AppDispatcher dispatcher, IRequest<int>[] messages, int rounds)
            {
                var sum = 0;
                for (var r = 0; r < rounds; r++)
                {
                    foreach (var message in messages)
                        sum += message.DispatchTo(dispatcher, default).Result;
                }
                return sum;
            }

            """.Replace("MIDDLE", (count / 2).ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal)
            .Replace("COUNT", count.ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal));
        for (var i = 0; i < count; i++)
        {
            text.Append(CultureInfo.InvariantCulture, $"public sealed partial record M{i} : IQuery<int>;\n");
            text.Append(CultureInfo.InvariantCulture, $"public sealed class H{i} : IRequestHandler<M{i}, int> {{ public ValueTask<int> Handle(M{i} m, CancellationToken ct) => new({i}); }}\n");
        }

        // Messages are made through small methods: one method with a thousand constructors would be timed instead of the dispatch.
        text.Append("static class Messages\n{\n    public static IRequest<int> All(int i) => (i / 32) switch {");
        for (var group = 0; group * 32 < count; group++)
            text.Append(CultureInfo.InvariantCulture, $" {group} => G{group}(i),");
        text.Append(" _ => throw new ArgumentOutOfRangeException(nameof(i)) };\n");
        for (var group = 0; group * 32 < count; group++)
        {
            text.Append(CultureInfo.InvariantCulture, $"    static IRequest<int> G{group}(int i) => i switch {{");
            for (var i = group * 32; i < Math.Min(count, (group + 1) * 32); i++)
                text.Append(CultureInfo.InvariantCulture, $" {i} => new M{i}(),");
            text.Append(" _ => throw new ArgumentOutOfRangeException(nameof(i)) };\n");
        }

        return text.Append("}\n").ToString();
    }

    private sealed record Times(double First, double One, double Round);
}
