using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Text;
using Postrider.SystemTests.CommandLine;

namespace Postrider.SystemTests.Packages;

/// <summary>The Debian package: made, installed into a folder, started by its unit's line, stopped by its unit's signal, removed and purged.</summary>
[SupportedOSPlatform("linux")]
public sealed class DebianPackageTests : IDisposable
{
    private const string Configuration = "/etc/postrider/postrider.conf";
    private const string Unit = "/usr/lib/systemd/system/postrider.service";

    private readonly string _folder = ServerProcess.NewFolder();

    private string Root => Path.Join(_folder, "root");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Package_is_installed_started_stopped_removed_and_purged()
    {
        await InstallAsync(await BuildAsync());
        await File.WriteAllTextAsync(Root + Configuration, (await File.ReadAllTextAsync(Root + Configuration))
            .Replace("127.0.0.1:4222", "127.0.0.1:-1", StringComparison.Ordinal).Replace("127.0.0.1:8222", "127.0.0.1:-1", StringComparison.Ordinal).Replace("\"/var", $"\"{Root}/var", StringComparison.Ordinal));

        await ServeAsync();
        Assert.True(Directory.Exists(Root + "/var/lib/postrider/jetstream"));
        await DpkgAsync("--remove", "postrider");
        Assert.False(File.Exists(Root + "/usr/bin/postrider"));
        Assert.True(File.Exists(Root + Configuration));
        Assert.True(Directory.Exists(Root + "/var/lib/postrider/jetstream"));
        await DpkgAsync("--purge", "postrider");

        Assert.False(File.Exists(Root + Configuration));
        Assert.False(Directory.Exists(Root + "/var/lib/postrider"));
    }

    [Fact]
    public async Task Unit_gives_the_server_no_more_than_it_needs()
    {
        await InstallAsync(await BuildAsync());

        var lines = await File.ReadAllLinesAsync(Root + Unit);

        Assert.All(
            (string[])["User=postrider", "NoNewPrivileges=true", "ProtectSystem=strict", "ProtectHome=true", "PrivateTmp=true", "CapabilityBoundingSet=", "SystemCallFilter=@system-service", "LimitCORE=0", "Type=notify-reload"],
            line => Assert.Contains(line, lines));
        Assert.Equal(UnixFileMode.None, File.GetUnixFileMode(Root + Configuration) & (UnixFileMode.OtherRead | UnixFileMode.OtherWrite | UnixFileMode.GroupWrite));
    }

    private async Task ServeAsync()
    {
        var unit = await File.ReadAllLinesAsync(Root + Unit);
        var words = ValueOf(unit, "ExecStart").Split(' ');
        var notify = Path.Join(_folder, "notify");
        using var notices = new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
        notices.Bind(new UnixDomainSocketEndPoint(notify));
        var start = new System.Diagnostics.ProcessStartInfo(Root + words[0], words[1..].Select(word => word.StartsWith('/') ? Root + word : word)) { RedirectStandardError = true };
        start.Environment["NOTIFY_SOCKET"] = notify;
        using var server = System.Diagnostics.Process.Start(start)!;
        var errors = server.StandardError.ReadToEndAsync();
        using var patience = new CancellationTokenSource(ServerProcess.Patience);

        Assert.Equal("READY=1", await ReadAsync(notices, patience.Token));
        var signal = ValueOf(unit, "KillSignal")["SIG".Length..];
        await RunAsync("kill", "-" + signal, server.Id.ToString(System.Globalization.CultureInfo.InvariantCulture));
        Assert.Equal("STOPPING=1", await ReadAsync(notices, patience.Token));
        await server.WaitForExitAsync(patience.Token);

        Assert.True(server.ExitCode == 0, await errors);
    }

    private async Task<string> BuildAsync()
    {
        var program = Environment.GetEnvironmentVariable("POSTRIDER_PROGRAM");
        if (string.IsNullOrEmpty(program))
        {
            // What is built for the tests needs the files beside it.
            program = Path.Join(_folder, "program");
            await File.WriteAllTextAsync(program, $"#!/bin/sh\nexec {Path.Join(AppContext.BaseDirectory, "Postrider.CommandLine")} \"$@\"\n");
        }
        await RunAsync("sh", Checkout.PathOf("packaging", "deb", "build.sh"), program, "0.1.0", _folder);
        return Assert.Single(Directory.GetFiles(_folder, "*.deb"));
    }

    private async Task InstallAsync(string package)
    {
        Directory.CreateDirectory(Path.Join(Root, "var/lib/dpkg/info"));
        Directory.CreateDirectory(Path.Join(Root, "var/lib/dpkg/updates"));
        await File.WriteAllTextAsync(Path.Join(Root, "var/lib/dpkg/status"), "");
        await DpkgAsync("--install", package);
    }

    private Task DpkgAsync(string action, string what)
        => RunAsync("dpkg", $"--root={Root}", "--log=/dev/null", "--force-not-root", "--force-depends", "--force-script-chrootless", "--force-bad-path", action, what);

    private async Task RunAsync(string program, params string[] arguments)
    {
        var start = new System.Diagnostics.ProcessStartInfo(program, arguments) { WorkingDirectory = _folder, RedirectStandardOutput = true, RedirectStandardError = true };
        using var process = System.Diagnostics.Process.Start(start)!;
        var (output, errors) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == 0, $"{program} {string.Join(' ', arguments)} ended with {process.ExitCode}:\n{await output}{await errors}");
    }

    private static string ValueOf(string[] unit, string key) => unit.Single(line => line.StartsWith(key + "=", StringComparison.Ordinal))[(key.Length + 1)..];

    private static async Task<string> ReadAsync(Socket socket, CancellationToken ct)
    {
        var buffer = new byte[4096];
        return Encoding.UTF8.GetString(buffer, 0, await socket.ReceiveAsync(buffer.AsMemory(), ct));
    }
}
