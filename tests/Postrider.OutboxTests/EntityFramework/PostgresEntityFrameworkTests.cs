using Postrider.Outbox;
using Postrider.OutboxTests.Harness;

namespace Postrider.OutboxTests.EntityFramework;

public sealed class PostgresEntityFrameworkTests(PostgresServer server) : EntityFrameworkCases(OutboxDatabase.PostgreSql, server);
