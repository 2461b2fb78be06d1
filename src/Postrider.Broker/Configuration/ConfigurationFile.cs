using Postrider.Broker.Configuration;

namespace Postrider.Broker;

/// <summary>Reads nats-server's configuration files.</summary>
public static class ConfigurationFile
{
    /// <summary>Reads a file and everything it includes into options.</summary>
    /// <param name="path">The file.</param>
    /// <param name="options">The options to change; settings that the file does not contain keep their values.</param>
    /// <returns>Warnings, each with file, line and column; empty when there are none.</returns>
    /// <exception cref="BrokerException">With <see cref="BrokerError.InvalidConfiguration"/> when the file cannot be read or has
    /// errors; the message has a line for each, with file, line and column. Some of the options may have been changed by then.</exception>
    public static IReadOnlyList<string> Apply(string path, BrokerOptions options) => Apply(path, options, new SystemConfigSource());

    internal static IReadOnlyList<string> Apply(string path, BrokerOptions options, IConfigSource source)
    {
        var map = Parse(path, source);
        var findings = new ConfigDiagnostics();
        new ConfigOptionsBinder(options, findings).Read(map);
        if (findings.HasErrors)
            throw new BrokerException(BrokerError.InvalidConfiguration, string.Join('\n', [.. findings.Warnings, .. findings.Errors]));
        options.ConfigurationFile = path;
        options.ConfigurationDigest = ConfigDigest.Compute(map);
        return map.Count == 0 ? [$"{path}: config has no values or is empty"] : findings.Warnings;
    }

    private static ConfigMap Parse(string path, IConfigSource source)
    {
        try
        {
            return ConfigParser.ParseFile(source, path);
        }
        catch (ConfigSyntaxException error)
        {
            throw new BrokerException(BrokerError.InvalidConfiguration, error.Message, error);
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new BrokerException(BrokerError.InvalidConfiguration, $"open {path}: no such file or directory", error);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new BrokerException(BrokerError.InvalidConfiguration, $"open {path}: {error.Message}", error);
        }
    }
}
