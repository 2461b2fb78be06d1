using System.ComponentModel;
using System.Diagnostics;
using Npgsql;

namespace Postrider.OutboxTests.Harness;

/// <summary>Debian's PostgreSQL, started on a Unix socket in a folder of its own. One for the whole run.</summary>
/// <remarks>The server refuses to run as root: then it runs as nobody.</remarks>
public sealed class PostgresServer : IAsyncLifetime
{
    private const string Nobody = "65534";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-postgres-");
    private readonly List<string> _output = [];
    private readonly bool _isRoot = Environment.IsPrivilegedProcess;
    private string _programs = "";
    private Process? _server;
    private int _databases;

    private string Data => Path.Join(_folder.FullName, "data");

    public async ValueTask InitializeAsync()
    {
        _programs = FindPrograms();
        if (_isRoot)
        {
            await RunAsync("chown", Nobody, _folder.FullName);
            _programs = await ReachableAsync(_programs);
        }

        // Tests kill its clients and not the server: nothing needs to reach the disk.
        await RunServersAsync(Path.Join(_programs, "initdb"), "-D", Data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync");
        _server = Start(Path.Join(_programs, "postgres"),
            "-D", Data, "-c", "listen_addresses=", "-c", $"unix_socket_directories={_folder.FullName}", "-c", "fsync=off", "-c", "max_connections=300", "-c", "autovacuum=off");
        await Eventually.HoldsAsync(IsUpAsync, TimeSpan.FromSeconds(90));
    }

    public async ValueTask DisposeAsync()
    {
        NpgsqlConnection.ClearAllPools();
        if (_server is not null)
        {
            // At once; the server removes its shared memory, which a kill would leave behind.
            await RunServersAsync(Path.Join(_programs, "pg_ctl"), "stop", "-D", Data, "-m", "immediate", "-W");
            await _server.WaitForExitAsync();
            _server.Dispose();
        }

        _folder.Delete(recursive: true);
    }

    /// <summary>Creates an empty database.</summary>
    /// <returns>Its connection string.</returns>
    public async Task<string> CreateDatabaseAsync()
    {
        var name = $"test{Interlocked.Increment(ref _databases)}";
        await using var source = NpgsqlDataSource.Create(ConnectionString("postgres"));
        await using var command = source.CreateCommand($"create database {name}");
        await command.ExecuteNonQueryAsync();
        return ConnectionString(name);
    }

    private string ConnectionString(string database) => $"Host={_folder.FullName};Username=postgres;Database={database};Timeout=30;Command Timeout=30;Maximum Pool Size=40";

    // POSTRIDER_POSTGRES, which ./dev test sets; or an installed one.
    private static string FindPrograms()
    {
        if (Environment.GetEnvironmentVariable("POSTRIDER_POSTGRES") is { Length: > 0 } named)
            return named;
        foreach (var root in (string[])["/usr/lib/postgresql", Checkout.PathOf("artifacts", "postgres", "root", "usr", "lib", "postgresql")])
        {
            if (Directory.Exists(root) && Directory.GetDirectories(root).Order().LastOrDefault() is { } version)
                return Path.Join(version, "bin");
        }

        throw new InvalidOperationException("There is no PostgreSQL: ./dev test fetches it, or POSTRIDER_POSTGRES names the folder of its programs.");
    }

    // Nobody may not look into the home folder of root: the programs are copied to where it may.
    private async Task<string> ReachableAsync(string programs)
    {
        if (await TryAsync(ServersStart("test", "-x", Path.Join(programs, "postgres"))) == 0)
            return programs;
        var root = programs.Split("/usr/lib/postgresql/")[0];
        var copy = Path.Join(_folder.FullName, "root");
        await RunAsync("cp", "-r", root, copy);
        await RunAsync("chmod", "-R", "a+rX", copy);
        return programs.Replace(root, copy, StringComparison.Ordinal);
    }

    private async Task<bool> IsUpAsync()
    {
        if (_server!.HasExited)
        {
            lock (_output)
                throw new InvalidOperationException($"PostgreSQL ended: {string.Join('\n', _output.TakeLast(40))}");
        }

        try
        {
            await using var connection = new NpgsqlConnection(ConnectionString("postgres"));
            await connection.OpenAsync();
            return true;
        }
        catch (NpgsqlException)
        {
            return false;
        }
    }

    private async Task RunServersAsync(string program, params string[] arguments)
    {
        if (await TryAsync(ServersStart(program, arguments)) is not 0 and var code)
        {
            lock (_output)
                throw new InvalidOperationException($"{program} ended with {code}: {string.Join('\n', _output.TakeLast(40))}");
        }
    }

    private async Task RunAsync(string program, params string[] arguments)
    {
        if (await TryAsync(new ProcessStartInfo(program, arguments)) is not 0 and var code)
            throw new InvalidOperationException($"{program} {string.Join(' ', arguments)} ended with {code}.");
    }

    private async Task<int> TryAsync(ProcessStartInfo start)
    {
        using var process = Start(start);
        await process.WaitForExitAsync();
        return process.ExitCode;
    }

    private Process Start(string program, params string[] arguments) => Start(ServersStart(program, arguments));

    private Process Start(ProcessStartInfo start)
    {
        start.RedirectStandardOutput = start.RedirectStandardError = true;
        start.WorkingDirectory = _folder.FullName;
        try
        {
            var process = Process.Start(start)!;
            process.OutputDataReceived += (_, line) => Note(line.Data);
            process.ErrorDataReceived += (_, line) => Note(line.Data);
            process.BeginOutputReadLine();
            process.BeginErrorReadLine();
            return process;
        }
        catch (Win32Exception absent)
        {
            throw new InvalidOperationException($"{start.FileName} does not start.", absent);
        }
    }

    private ProcessStartInfo ServersStart(string program, params string[] arguments)
    {
        var start = _isRoot
            ? new ProcessStartInfo("setpriv", [$"--reuid={Nobody}", $"--regid={Nobody}", "--clear-groups", program, .. arguments])
            : new ProcessStartInfo(program, arguments);
        // Unpacked packages bring libraries that the machine may not have.
        var libraries = Path.Join(_programs.Split("/usr/lib/postgresql/")[0], "usr", "lib", OperatingSystemTriplet());
        if (_programs.Length > 0 && !_programs.StartsWith("/usr/", StringComparison.Ordinal) && Directory.Exists(libraries))
            start.Environment["LD_LIBRARY_PATH"] = libraries;
        start.Environment["HOME"] = _folder.FullName;
        start.Environment["LC_ALL"] = "C";
        return start;
    }

    private static string OperatingSystemTriplet()
        => System.Runtime.InteropServices.RuntimeInformation.OSArchitecture == System.Runtime.InteropServices.Architecture.Arm64 ? "aarch64-linux-gnu" : "x86_64-linux-gnu";

    private void Note(string? line)
    {
        lock (_output)
            _output.Add(line ?? "");
    }
}
