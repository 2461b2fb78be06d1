using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace Postrider.Benchmarks.Dispatch;

/// <summary>Writes and builds a program with many message types; one that is there already, of the same text and the same
/// assemblies, is used again.</summary>
internal static class ColdBuild
{
    internal static string Make(IColdProgram subject, int count)
    {
        var folder = Path.Combine(Root(), "artifacts", "bench", string.Create(CultureInfo.InvariantCulture, $"types-{subject.Subject}{subject.Handlers.Replace(' ', '-')}-{count}"));
        var program = Path.Combine(folder, "out", "types");
        var text = Text(subject, count);
        var project = Project(subject);
        var stamp = text + project + string.Concat(References(subject).Concat(subject.Analyzers).Select(f => f + File.GetLastWriteTimeUtc(f).Ticks));
        var stampFile = Path.Combine(folder, "stamp");
        if (File.Exists(program) && File.Exists(stampFile) && File.ReadAllText(stampFile) == stamp)
            return program;

        Directory.CreateDirectory(folder);
        foreach (var name in (string[])["Directory.Build.props", "Directory.Build.targets", "Directory.Packages.props"])
            File.WriteAllText(Path.Combine(folder, name), "<Project />");
        File.WriteAllText(Path.Combine(folder, "types.csproj"), project);
        File.WriteAllText(Path.Combine(folder, "Program.cs"), text);
        using var build = Process.Start(new ProcessStartInfo("dotnet", ["build", folder, "-c", "Release", "-v", "q", "-nologo", "-o", Path.Combine(folder, "out")])
        {
            RedirectStandardOutput = true,
        })!;
        var output = build.StandardOutput.ReadToEnd();
        build.WaitForExit();
        if (build.ExitCode != 0)
            throw new InvalidOperationException(output);
        File.WriteAllText(stampFile, stamp);
        return program;
    }

    internal static string Root()
    {
        var root = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(root.FullName, "Postrider.slnx")))
            root = root.Parent ?? throw new InvalidOperationException("The benchmarks run inside the repository.");
        return root.FullName;
    }

    private static IEnumerable<string> References(IColdProgram subject) => subject.References.Select(r => Path.Combine(AppContext.BaseDirectory, r)).Where(File.Exists);

    private static string Project(IColdProgram subject) => $"""
        <Project Sdk="Microsoft.NET.Sdk">
          <PropertyGroup>
            <OutputType>Exe</OutputType>
            <TargetFramework>net10.0</TargetFramework>
            <ImplicitUsings>enable</ImplicitUsings>
            <Nullable>enable</Nullable>
            <NoWarn>$(NoWarn);MSB3277</NoWarn>
            <InvariantGlobalization>true</InvariantGlobalization>
            <InterceptorsNamespaces>Postrider.Generated</InterceptorsNamespaces>
          </PropertyGroup>
          <ItemGroup>
            <FrameworkReference Include="Microsoft.AspNetCore.App" />
            {string.Concat(References(subject).Select(r => $"<Reference Include=\"{r}\" />"))}
            {string.Concat(subject.Analyzers.Select(a => $"<Analyzer Include=\"{a}\" />"))}
          </ItemGroup>
        </Project>
        """;

    private static string Text(IColdProgram subject, int count)
    {
        // No handler may be met by luck: the answers are compared. Messages are made by small methods: one method with a
        // thousand constructors would be timed instead of the dispatch.
        var text = new StringBuilder($$"""
            using System.Diagnostics;
            using Microsoft.Extensions.DependencyInjection;
            using Types;
            {{subject.Usings}}

            const int Count = {{count.ToString(CultureInfo.InvariantCulture)}};
            var started = Stopwatch.GetTimestamp();
            {{subject.Start(count)}}
            var got = await ask(Messages.All(Count / 2)) - (Count / 2);
            var first = Stopwatch.GetElapsedTime(started).TotalMilliseconds;
            if (got != 0)
                throw new InvalidOperationException("A message met the wrong handler.");
            if (args[0] == "cold")
            {
                Console.WriteLine(FormattableString.Invariant($"{first:0.00}"));
                Console.Out.Flush();
                Environment.Exit(0);
            }

            var all = Enumerable.Range(0, Count).Select(Messages.All).ToArray();
            for (var i = 0; i < Count; i++)
                got += await ask(all[i]) - i;
            if (got != 0)
                throw new InvalidOperationException("A message met the wrong handler.");
            var one = new[] { all[Count / 2] };
            Time(one, 1);
            var rounds = (int)Math.Clamp(5e6 / Time(one, 20), 10, 300_000);
            // Until nothing is left to compile; see Settling of the benchmarks.
            for (var (phase, quiet) = (0, 0); phase < 40 && (phase < 5 || quiet < 3); phase++)
            {
                var compiled = System.Runtime.JitInfo.GetCompiledMethodCount();
                for (var i = 0; i < 60; i++)
                {
                    Loop(all, Math.Max(1, rounds / 20 / Count));
                    Loop(one, Math.Max(1, rounds / 20));
                }

                await Task.Delay(130);
                quiet = System.Runtime.JitInfo.GetCompiledMethodCount() == compiled ? quiet + 1 : 0;
            }

            // In turn and over most of a second: what disturbs the machine for a while disturbs both, and not all of it.
            var (nsOne, nsAll) = (double.MaxValue, double.MaxValue);
            for (var window = 0; window < 40; window++)
            {
                nsOne = Math.Min(nsOne, Time(one, rounds));
                nsAll = Math.Min(nsAll, Time(all, Math.Max(1, rounds / Count)));
                await Task.Delay(10);
            }

            Console.WriteLine(FormattableString.Invariant($"{nsOne:0.00} {nsAll:0.00}"));
            Console.Out.Flush();
            Environment.Exit(0);

            double Time({{subject.MessageType}}[] messages, int rounds)
            {
                var started = Stopwatch.GetTimestamp();
                Loop(messages, rounds);
                return Stopwatch.GetElapsedTime(started).TotalNanoseconds / ((double)rounds * messages.Length);
            }

            int Loop({{subject.MessageType}}[] messages, int rounds)
            {
                var sum = 0;
                for (var r = 0; r < rounds; r++)
                {
                    foreach (var message in messages)
                    {
                        var task = ask(message);
                        sum += task.IsCompletedSuccessfully ? task.Result : task.AsTask().GetAwaiter().GetResult();
                    }
                }

                return sum;
            }


            """);
        text.Append("namespace Types\n{\n");
        for (var i = 0; i < count; i++)
            text.Append(subject.Declare(i)).Append('\n');
        text.Append(CultureInfo.InvariantCulture, $"static class Messages\n{{\n    public static {subject.MessageType} All(int i) => (i / 32) switch {{");
        for (var group = 0; group * 32 < count; group++)
            text.Append(CultureInfo.InvariantCulture, $" {group} => G{group}(i),");
        text.Append(" _ => throw new ArgumentOutOfRangeException(nameof(i)) };\n");
        for (var group = 0; group * 32 < count; group++)
        {
            text.Append(CultureInfo.InvariantCulture, $"    static {subject.MessageType} G{group}(int i) => i switch {{");
            for (var i = group * 32; i < Math.Min(count, (group + 1) * 32); i++)
                text.Append(CultureInfo.InvariantCulture, $" {i} => new M{i}(),");
            text.Append(" _ => throw new ArgumentOutOfRangeException(nameof(i)) };\n");
        }

        return text.Append("}\n}\n").ToString();
    }
}
