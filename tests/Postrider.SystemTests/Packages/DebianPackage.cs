using System.Diagnostics;
using Postrider.SystemTests.CommandLine;

namespace Postrider.SystemTests.Packages;

/// <summary>The Debian package, made once: most of its time is the compression.</summary>
public sealed class DebianPackage : IAsyncLifetime
{
    private readonly string _folder = ServerProcess.NewFolder();

    /// <summary>Its file.</summary>
    internal string Path { get; private set; } = "";

    public async ValueTask InitializeAsync()
    {
        var program = Environment.GetEnvironmentVariable("POSTRIDER_PROGRAM");
        if (string.IsNullOrEmpty(program))
        {
            // What is built for the tests needs the files beside it.
            program = System.IO.Path.Join(_folder, "program");
            await File.WriteAllTextAsync(program, $"#!/bin/sh\nexec {System.IO.Path.Join(AppContext.BaseDirectory, "Postrider.CommandLine")} \"$@\"\n");
        }
        await RunAsync(_folder, "sh", Checkout.PathOf("packaging", "deb", "build.sh"), program, "0.1.0", _folder);
        Path = Assert.Single(Directory.GetFiles(_folder, "*.deb"));
    }

    public ValueTask DisposeAsync()
    {
        Directory.Delete(_folder, recursive: true);
        return ValueTask.CompletedTask;
    }

    /// <summary>Runs a program in a folder; an error of it fails the test with what it said.</summary>
    internal static async Task RunAsync(string folder, string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments) { WorkingDirectory = folder, RedirectStandardOutput = true, RedirectStandardError = true };
        using var process = Process.Start(start)!;
        var (output, errors) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == 0, $"{program} {string.Join(' ', arguments)} ended with {process.ExitCode}:\n{await output}{await errors}");
    }
}
