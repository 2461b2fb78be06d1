using Postrider.Outbox;
using Postrider.OutboxTests.Cases;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests;

public sealed class PostgresCrashTests(PostgresServer server) : CrashCases(OutboxDatabase.PostgreSql, server);
